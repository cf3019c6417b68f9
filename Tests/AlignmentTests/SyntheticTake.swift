import BroadcastWave
import FoundationEssentials
import Glibc
import Recording
import Units

/// A take whose every sample is known: each host hears the same tones at the same moments, by a
/// crystal of its own.
final class SyntheticTake {
  /// What a host's card did.
  struct Host {
    var label: String
    /// Nanoseconds of shared time from T0 to the file's first frame.
    var offsetNanoseconds: Int64 = 0
    /// Nanoseconds by which a second of the card's frames is longer or shorter than one: whole,
    /// so that the log can tell it exactly.
    var stretchNanoseconds: Int64 = 0
    var hertz = 48_000
    var channels = 1
    var bits = 24
    /// How many seconds of frames, plus `extraFrames`.
    var seconds = 4
    var extraFrames = 0
  }

  let folder: String
  let take = TakeID(high: 0x7A4E, low: 0x11)
  let session = Session(
    id: SessionID(high: 3, low: 4), anchorUnixNanoseconds: 1_796_034_000_000_000_000,
    anchorErrorNanoseconds: 0, utcOffsetSeconds: 3600)
  let t0 = SharedInstant.sessionStart + .seconds(100)
  let t1: SharedInstant

  init(seconds: Int = 4) {
    t1 = t0 + .seconds(seconds)
    var template = Array("/tmp/recorder-take-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit { _ = system("rm -rf '\(folder)'") }

  /// The sound at a moment, in nanoseconds after T0: three tones, −6 dB at most together.
  static func tones(at nanoseconds: Double) -> Double {
    let seconds = nanoseconds * 1e-9
    return 0.2 * sin(2 * .pi * 100 * seconds) + 0.2 * sin(2 * .pi * 3141 * seconds + 1)
      + 0.1 * sin(2 * .pi * 12_345 * seconds + 2)
  }

  /// The moment of a frame of a host's file, in nanoseconds after T0.
  static func moment(of frame: Double, _ host: Host) -> Double {
    Double(host.offsetNanoseconds)
      + frame * (1e9 + Double(host.stretchNanoseconds)) / Double(host.hertz)
  }

  func path(_ host: Host) -> String { "\(folder)/scene-T01_\(host.label)-0000_001.wav" }

  func logPath(_ host: Host) -> String { "\(folder)/scene-T01_\(host.label)-0000_001.timing.jsonl" }

  /// Writes a host's sound file and timing log.
  func write(_ host: Host, cues: [CuePoint] = []) throws {
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: host.hertz), channels: host.channels,
      encoding: .integer(bits: host.bits))
    let frames = host.seconds * host.hertz + host.extraFrames
    var audio: [UInt8] = []
    let scale = Double(Int64(1) << (host.bits - 1))
    for frame in 0..<frames {
      let sample = Int64((Self.tones(at: Self.moment(of: Double(frame), host)) * scale).rounded())
      for channel in 0..<host.channels {
        let value = channel % 2 == 0 ? sample : -sample
        for shift in stride(from: Int64(0), to: Int64(host.bits), by: 8) {
          audio.append(UInt8(truncatingIfNeeded: value >> shift))
        }
      }
    }
    try save(bytes(format: format, audio: audio, host: host, cues: cues), to: path(host))
    try save(try log(host, frames: Int64(frames)), to: logPath(host))
  }

  private func bytes(
    format: WaveFormat, audio: [UInt8], host: Host, cues: [CuePoint]
  ) -> [UInt8] {
    let reference = TimeReference.samples(
      at: t0, in: session, sampleRate: format.sampleRate, frameRate: .fps25)
    let bext = Bext(
      description: "scene T1 \(host.label)", originator: "test", originatorReference: "ref",
      begins: CivilTime(at: t0, in: session), timeReference: reference,
      codingHistory: Bext.codingLine(for: format, text: "test"))
    var ixml = IXML(
      speed: IXML.Speed(frameRate: .fps25, format: format, timeReference: reference))
    ixml.scene = "scène <1>"
    ixml.fileUID = "uid-\(host.label)"
    ixml.tracks = (1...host.channels).map {
      IXML.Track(channel: $0, interleave: $0, name: "\(host.label) \($0)")
    }
    let header = WaveHeader(format: format, bext: bext, ixml: ixml)
    let trailer = WaveTrailer(dataBytes: UInt64(audio.count), cues: cues)
    var bytes = header.bytes + audio + trailer.bytes
    for patch in header.sizePatches(
      dataBytes: UInt64(audio.count), trailerBytes: UInt64(trailer.bytes.count))
    {
      bytes.replaceSubrange(
        Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    return bytes
  }

  private func log(_ host: Host, frames: Int64) throws -> [UInt8] {
    var entries: [TimingLogEntry] = [
      .header(
        TimingLogHeader(
          version: 1, software: "test", take: take, takeName: "scene",
          session: TimingLogSession(session), peer: PeerID(high: 0, low: 9), label: host.label,
          bootID: "boot", file: "x.wav", sampleRateHertz: host.hertz, channels: host.channels,
          bits: host.bits, t0: t0, firstShared: t0 + .nanoseconds(host.offsetNanoseconds),
          timeReference: 0, frameRate: "25/1"))
    ]
    for second in 0...Int64(host.seconds) where second * Int64(host.hertz) < frames || second > 0 {
      let shared = host.offsetNanoseconds + second * (1_000_000_000 + host.stretchNanoseconds)
      entries.append(
        .clock(
          TimingLogClock(
            frame: second * Int64(host.hertz), host: HostInstant(nanoseconds: shared),
            shared: t0 + .nanoseconds(shared), jitterBoundNanoseconds: 1500,
            pathLimitNanoseconds: 8000, cardBoundNanoseconds: 500, cardPPM: 0, skewPPM: 0,
            generation: 1)))
    }
    entries.append(
      .summary(
        TimingLogSummary(frames: frames, t1: t1, lastShared: t1, gaps: 0, isComplete: true)))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try entries.flatMap { Array(try encoder.encode($0)) + [UInt8(ascii: "\n")] }
  }

  func save(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  func load(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}
