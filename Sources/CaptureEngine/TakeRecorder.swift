internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// One take of this host: its sound file and its timing log, from the first frame to the last.
final class TakeRecorder {
  let plan: TakePlan
  let t0: SharedInstant
  /// The frame of the card's stream that the file begins with.
  let first: SampleIndex
  private let names: TakeNames
  private let folder: String
  private let sound: SoundWriter
  private let log: TimingLogWriter
  private var cues: [CuePoint] = []
  private(set) var gapCount = 0
  private var lastMark: TimingLogClock?

  /// Opens the files of a take whose first frame is `first`, taken at `firstShared`.
  init(
    plan: TakePlan, t0: SharedInstant, first: SampleIndex, firstShared: SharedInstant,
    begins: SharedInstant, output: String, host: CaptureHost, session: Session, format: WaveFormat
  ) throws(CaptureError) {
    self.plan = plan
    self.t0 = t0
    self.first = first
    let date = CivilTime(at: session.anchor, in: session).dateText
    names = TakeNames(
      plan: plan, session: session.id, date: date, peer: host.peer, label: host.label)
    folder = output + "/" + names.folder
    try OutputFile.makeFolders(folder)
    let description = FileDescription(
      plan: plan, host: host, session: session, format: format, begins: begins,
      fileName: names.sound(segment: 1))
    sound = try SoundWriter(
      path: folder + "/" + names.sound(segment: 1), description: description)
    log = try TimingLogWriter(path: folder + "/" + names.timingLog(segment: 1))
    try log.write(
      .header(
        TimingLogHeader(
          version: TimingLogEntry.version, software: host.software, take: plan.id,
          takeName: plan.name, session: TimingLogSession(session), peer: host.peer,
          label: host.label, bootID: host.bootID, file: names.sound(segment: 1),
          sampleRateHertz: format.sampleRate.hertz, channels: format.channels,
          bits: format.encoding.bits, t0: t0, firstShared: firstShared,
          timeReference: description.timeReference,
          frameRate: FileDescription.frameRate.fraction)))
  }

  /// The frame of the card's stream that comes next.
  var next: SampleIndex { first + FrameCount(sound.frames) }

  /// The frames that were written.
  var frames: Int64 { sound.frames }

  func append(_ bytes: [UInt8]) throws(CaptureError) { try sound.append(bytes) }

  func keepTrue() throws(CaptureError) { try sound.keepTrue() }

  func write(_ entry: TimingLogEntry) throws(CaptureError) { try log.write(entry) }

  /// Writes where frame `index` of the stream lies in both times.
  func mark(
    _ index: SampleIndex, clock: SampleClock, map: ClockMap
  ) throws(CaptureError) {
    guard let host = clock.host(of: index), let line = clock.line else { return }
    let entry = TimingLogClock(
      frame: (index - first).value, host: host, shared: map.shared(at: host),
      jitterBoundNanoseconds: map.jitterBoundNanoseconds(at: host),
      pathLimitNanoseconds: map.pathLimitNanoseconds,
      cardBoundNanoseconds: line.boundNanoseconds,
      cardPPM: clock.excess?.partsPerMillion ?? 0, skewPPM: map.skew.partsPerMillion,
      generation: map.generation)
    lastMark = entry
    try log.write(.clock(entry))
  }

  /// Takes note of frames that were lost at `index` and stand as silence.
  func note(_ gap: StreamGap) throws(CaptureError) {
    let frame = gap.index - first.value
    guard frame + gap.frames > 0 else { return }
    gapCount += 1
    let text = "gap: \(gap.frames) frames lost (\(gap.cause.word))"
    cues.append(CuePoint(frame: UInt64(max(0, frame)), text: text))
    try log.write(
      .gap(
        TimingLogGap(
          frame: max(0, frame), frames: gap.frames + min(0, frame), cause: gap.cause.word,
          boundFrames: gap.boundFrames)))
  }

  /// Marks a frame of the file in words.
  func mark(text: String, frame: Int64) throws(CaptureError) {
    cues.append(CuePoint(frame: UInt64(max(0, frame)), text: text))
    try log.write(.marker(TimingLogMarker(frame: max(0, frame), text: text)))
  }

  /// Closes both files; the take ended at `t1`.
  func finish(t1: SharedInstant, isComplete: Bool) throws(CaptureError) {
    try sound.finish(cues: cues)
    try log.write(
      .summary(
        TimingLogSummary(
          frames: sound.frames, t1: t1, lastShared: lastMark?.shared ?? t1, gaps: gapCount,
          isComplete: isComplete)))
    try log.finish()
    try writeSummary(t1: t1, isComplete: isComplete)
  }

  private func writeSummary(t1: SharedInstant, isComplete: Bool) throws(CaptureError) {
    let summary = TakeSummary(
      take: plan, t0: t0, t1: t1, files: [names.sound(segment: 1)],
      timingLogs: [names.timingLog(segment: 1)], frames: sound.frames, gaps: gapCount,
      isComplete: isComplete, last: lastMark)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes: Data
    do {
      bytes = try encoder.encode(summary)
    } catch {
      preconditionFailure("a summary is made of numbers and texts: \(error)")
    }
    let file = try OutputFile(creating: folder + "/" + names.summary)
    try file.append(Array(bytes) + [UInt8(ascii: "\n")])
    try file.finish()
  }
}

/// What `take.json` says.
struct TakeSummary: Encodable {
  let schema = "recorder.take.1"
  let take: TakePlan
  let t0: SharedInstant
  let t1: SharedInstant
  let files: [String]
  let timingLogs: [String]
  let frames: Int64
  let gaps: Int
  let isComplete: Bool
  /// Where the last frame lay in shared time, with its bounds.
  let last: TimingLogClock?

  private enum CodingKeys: String, CodingKey {
    case schema
    case take
    case t0 = "t0_shared_ns"
    case t1 = "t1_shared_ns"
    case files
    case timingLogs = "timing_logs"
    case frames
    case gaps
    case isComplete = "complete"
    case last
  }
}
