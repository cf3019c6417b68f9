import BroadcastWave
import FoundationEssentials
import Glibc
import Recording
import TestFolders
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
    /// Frames that the card lost.
    var loss: Loss?
    /// Nanoseconds by which the host's clock goes on at a second of the take, and nobody else's.
    var hostStep: (second: Int64, nanoseconds: Int64)?
    /// The same for shared time.
    var sharedStep: (second: Int64, nanoseconds: Int64)?
  }

  /// Frames that are missing from `frame` on, and where silence for them stands, if the recorder
  /// noticed.
  struct Loss {
    var frame: Int
    var count: Int
    var silence: Int?
  }

  /// The frame that would stand at `frame` if nothing had been lost; nothing where it is silence.
  static func whole(_ frame: Int, _ host: Host) -> Int? {
    guard let loss = host.loss, frame >= loss.frame else { return frame }
    guard let silence = loss.silence else { return frame + loss.count }
    if frame < silence { return frame + loss.count }
    return frame < silence + loss.count ? nil : frame
  }

  private let place = TestFolder()
  var folder: String { place.path }
  let take = TakeID(high: 0x7A4E, low: 0x11)
  let session = Session(
    id: SessionID(high: 3, low: 4), anchorUnixNanoseconds: 1_796_034_000_000_000_000,
    anchorErrorNanoseconds: 0, utcOffsetSeconds: 3600)
  let t0 = SharedInstant.sessionStart + .seconds(100)
  let t1: SharedInstant

  init(seconds: Int = 4) {
    t1 = t0 + .seconds(seconds)
  }

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
      let sound = Self.whole(frame, host).map { Self.tones(at: Self.moment(of: Double($0), host)) }
      let sample = Int64(((sound ?? 0) * scale).rounded())
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
      let frame = second * Int64(host.hertz)
      let whole = Self.whole(Int(frame), host) ?? Int(frame)
      let taken = Int64(Self.moment(of: Double(whole), host).rounded())
      var hostTime = taken
      var shared = taken
      if let step = host.hostStep, second >= step.second { hostTime += step.nanoseconds }
      if let step = host.sharedStep, second >= step.second { shared += step.nanoseconds }
      entries.append(
        .clock(
          TimingLogClock(
            frame: frame, host: HostInstant(nanoseconds: hostTime),
            shared: t0 + .nanoseconds(shared), jitterBoundNanoseconds: 1500,
            pathLimitNanoseconds: 8000, cardBoundNanoseconds: 500, cardPPM: 0, skewPPM: 0,
            generation: 1)))
    }
    if let loss = host.loss, let silence = loss.silence {
      entries.append(
        .gap(
          TimingLogGap(
            frame: Int64(silence), frames: Int64(loss.count), cause: "silent_loss", boundFrames: 2,
            lostFrom: Int64(loss.frame - 1000), lostTo: Int64(loss.frame + 1000))))
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
