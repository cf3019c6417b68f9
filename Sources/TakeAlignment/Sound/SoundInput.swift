internal import Alignment
internal import BroadcastWave
internal import SoundFile
internal import Units

/// A file that is placed by its sound, whoever recorded it.
struct SoundInput: Sendable {
  let path: String
  /// What it is called in the report.
  let name: String
  let sound: FileSound
  /// What a WAV file says of itself; nothing for other kinds and for broken ones.
  let wave: WaveReader?
  let integerBits: Int?
  /// The part of a sample of probes that lies at full scale.
  let clipped: Double
  /// Whether it holds nothing but zeros, as far as was looked.
  let isSilent: Bool

  var hertz: Int { Int(sound.hertz) }

  /// Samples looked at to choose the channel, in each of several places.
  private static let probe = 16_384
  private static let probes = 8

  init(_ input: TakeAligner.Input) throws(AlignmentError) {
    path = input.path
    name = input.name
    do {
      var reader = try SoundFileReader(path: path)
      let probed = try Self.probe(&reader)
      guard probed.frames > 0 else { throw AlignmentError.silent(file: path) }
      sound = try FileSound(path: path, channel: probed.channel)
      clipped = probed.clipped
      isSilent = probed.isSilent
      integerBits = reader.bits.flatMap { $0 <= 24 ? $0 : nil }
    } catch let error as AlignmentError {
      throw error
    } catch {
      throw .unreadable(file: path, reason: "\(error)")
    }
    let file = try InputFile(path: path)
    wave = try? file.wave()
  }

  /// The loudest channel, and what part of its samples is at full scale.
  private static func probe(
    _ reader: inout SoundFileReader
  ) throws -> (channel: Int, clipped: Double, frames: Int, isSilent: Bool) {
    let channels = reader.channels
    var energies = [Double](repeating: 0, count: channels)
    var full = [Int](repeating: 0, count: channels)
    var frames = 0
    for place in 0..<probes {
      let room = max(0, reader.frames.value - Int64(probe))
      if place > 0 && room == 0 { break }
      try reader.seek(to: room * Int64(place) / Int64(max(1, probes - 1)))
      let block = try reader.readFloats(frames: probe)
      for channel in 0..<channels {
        for index in stride(from: channel, to: block.count, by: channels) {
          let sample = Double(block[index])
          energies[channel] += sample * sample
          if abs(sample) > 0.999_9 { full[channel] += 1 }
        }
      }
      frames += block.count / channels
    }
    let loudest = energies.indices.max { energies[$0] < energies[$1] } ?? 0
    if energies[loudest] == 0 { return (0, 0, frames, true) }
    return (loudest, Double(full[loudest]) / Double(max(1, frames)), frames, false)
  }
}
