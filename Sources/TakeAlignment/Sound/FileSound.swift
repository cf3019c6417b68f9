internal import Alignment
internal import SoundFile
internal import Synchronization
internal import Units

/// A channel of a sound file, read wherever the engine looks.
final class FileSound: SoundSource {
  let frames: Int64
  let hertz: Double
  let channels: Int
  private let channel: Int
  private let path: String
  /// Readers that nobody uses at the moment: as many are opened as threads read at once.
  private let idle: Mutex<[Reader]>

  private final class Reader: Sendable {
    let file: Mutex<SoundFileReader>
    init(path: String) throws(SoundFileError) { file = Mutex(try SoundFileReader(path: path)) }
  }

  /// Opens channel number `channel`, from 0, of the file at `path`.
  init(path: String, channel: Int = 0) throws(SoundFileError) {
    let file = try SoundFileReader(path: path)
    frames = file.frames.value
    hertz = Double(file.sampleRate.hertz)
    channels = file.channels
    self.channel = channel
    self.path = path
    idle = Mutex([])
  }

  func samples(at start: Int64, count: Int) throws(SoundReadError) -> [Float] {
    let first = max(0, min(frames, start))
    let end = max(first, min(frames, start + Int64(count)))
    guard end > first else { return [Float](repeating: 0, count: count) }
    do {
      let reader = try idle.withLock { $0.popLast() } ?? Reader(path: path)
      let sound = try reader.file.withLock { file in
        try file.seek(to: first)
        return try file.readFloats(frames: Int(end - first))
      }
      idle.withLock { $0.append(reader) }
      return placed(sound, at: Int(first - start), count: count)
    } catch {
      throw SoundReadError("\(error)")
    }
  }

  private func placed(_ sound: [Float], at offset: Int, count: Int) -> [Float] {
    if channels == 1, offset == 0, sound.count == count { return sound }
    var samples = [Float](repeating: 0, count: count)
    for frame in 0..<sound.count / channels {
      samples[offset + frame] = sound[frame * channels + channel]
    }
    return samples
  }
}
