import FoundationEssentials
import Glibc
import TestFolders
import Units

@testable import BroadcastWave
@testable import CaptureEngine
@testable import Recording

/// A take that the recorder's own writers wrote of noise from a seed, without a card.
final class RecordedFiles {
  static let peer = PeerID(high: 0xAB12_0000_0000_0000, low: 1)

  let workspace = TestFolder()
  let format: WaveFormat
  /// All that was appended, interleaved.
  let audio: [UInt8]
  private(set) var recorder: TakeRecorder

  /// - Parameters:
  ///   - secondOfDay: of the session's anchor, in civil time; the take begins ten seconds later.
  init(
    seed: UInt64 = 1, hertz: Int = 8000, channels: Int = 1,
    encoding: SampleEncoding = .integer(bits: 24), frames: Int = 20_000,
    settings: FileSettings = FileSettings(), secondOfDay: Int64 = 36_000, timecode: String? = nil,
    plan change: (inout TakePlan) -> Void = { _ in }
  ) throws {
    format = WaveFormat(
      sampleRate: SampleRate(hertz: hertz), channels: channels, encoding: encoding)
    var generator = SeededGenerator(seed: seed)
    // Small values: no noise that is no number where samples are floats.
    audio = (0..<frames * format.bytesPerFrame).map { _ in
      UInt8.random(in: 0...60, using: &generator)
    }
    let day: Int64 = 20_787 * 86_400
    let session = Session(
      id: SessionID(high: 5, low: 1),
      anchorUnixNanoseconds: (day + secondOfDay - 7200) * 1_000_000_000,
      anchorErrorNanoseconds: 0, utcOffsetSeconds: 7200)
    var plan = TakePlan(
      id: TakeID(high: 0x77C0 << 48, low: 9), name: "Brücke 12A", number: 3, project: "映画 & <Ton>",
      tape: "R1", timecode: timecode)
    change(&plan)
    let t0 = session.anchor + .seconds(10)
    var settings = settings
    settings.encoding = encoding
    recorder = try TakeRecorder(
      plan: plan, t0: t0,
      beginning: Cut.Beginning(
        first: SampleIndex(1000), host: HostInstant(nanoseconds: 1_000_000_000), shared: t0,
        boundNanoseconds: 900, isWhole: true, begins: t0),
      output: workspace.path, host: Self.host, session: session, format: format,
      settings: settings)
    try recorder.write(.clock(Self.clock(frame: 0, t0: t0, rate: format.sampleRate)))
  }

  static let host = CaptureHost(
    peer: peer, label: "mic", software: "recorder test", bootID: "boot")

  static func clock(frame: Int64, t0: SharedInstant, rate: SampleRate) -> TimingLogClock {
    let span = rate.duration(of: FrameCount(frame))
    return TimingLogClock(
      frame: frame, host: HostInstant(nanoseconds: 1_000_000_000) + span, shared: t0 + span,
      jitterBoundNanoseconds: 800, pathLimitNanoseconds: 7000, cardBoundNanoseconds: 100,
      cardPPM: 12.5, skewPPM: -3, generation: 1)
  }

  /// Appends everything in uneven pieces, and keeps the headers true in between.
  func write(seed: UInt64 = 2) throws {
    var generator = SeededGenerator(seed: seed)
    var done = 0
    let size = format.bytesPerFrame
    while done < audio.count {
      let frames = min(Int.random(in: 1...3000, using: &generator), (audio.count - done) / size)
      try recorder.append(Array(audio[done..<done + frames * size]))
      done += frames * size
      if Bool.random(using: &generator) { try recorder.keepTrue() }
    }
  }

  func finish() throws {
    try recorder.finish(
      t1: recorder.t0 + format.sampleRate.duration(of: FrameCount(recorder.frames)),
      isComplete: true
    ).wait()
  }

  /// Names of the sound files, in order.
  var sounds: [String] { workspace.files.filter { $0.hasSuffix(".wav") } }

  func read(_ name: String) throws -> WaveReader {
    let bytes = workspace.bytes(of: name)
    return try WaveReader(length: UInt64(bytes.count)) { offset, count throws(WaveError) in
      let start = min(Int(offset), bytes.count)
      return Array(bytes[start..<min(start + count, bytes.count)])
    }
  }

  func samples(_ name: String) throws -> [UInt8] {
    let wave = try read(name)
    let start = Int(wave.audioOffset)
    return Array(workspace.bytes(of: name)[start..<start + Int(wave.audioBytes)])
  }

  func ixml(_ name: String) throws -> IXMLReading { IXMLReading(try read(name).ixml ?? "") }

  func entries(_ name: String) throws -> [TimingLogEntry] {
    try workspace.text(of: name.replacing(".wav", with: ".timing.jsonl")).split(separator: "\n")
      .map { try JSONDecoder().decode(TimingLogEntry.self, from: Data($0.utf8)) }
  }

  func summary() throws -> TakeSummary {
    let names = workspace.files.filter { $0.hasSuffix(".take.json") }
    guard names.count == 1, let found = TakeSummaryFile.read(workspace.path + "/" + names[0])
    else { throw Missing(names: names) }
    return found
  }

  struct Missing: Error { let names: [String] }
}
