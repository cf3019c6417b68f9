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
  /// Where the files are.
  let folder: String
  private let segment: Int
  private let sound: SoundWriter
  private let log: TimingLogWriter
  private var cues: [CuePoint] = []
  private(set) var gapCount = 0
  private var lastMark: TimingLogClock?

  /// Opens the files of a take with what is said of its beginning.
  init(
    plan: TakePlan, t0: SharedInstant, beginning: Cut.Beginning, output: String,
    host: CaptureHost, session: Session, format: WaveFormat
  ) throws(CaptureError) {
    self.plan = plan
    self.t0 = t0
    first = beginning.first
    let date = CivilTime(at: session.anchor, in: session).dateText
    names = TakeNames(
      plan: plan, session: session.id, date: date, peer: host.peer, label: host.label)
    folder = output + "/" + names.folder
    try OutputFile.makeFolders(folder)
    segment = Self.freeSegment(of: names, in: folder)
    let description = FileDescription(
      plan: plan, host: host, session: session, format: format,
      begins: beginning.isWhole ? t0 : beginning.shared, fileName: names.sound(segment: segment))
    sound = try SoundWriter(path: folder + "/" + description.fileName, description: description)
    log = try TimingLogWriter(path: folder + "/" + names.timingLog(segment: segment))
    try log.write(.header(description.logHeader(t0: t0, firstShared: beginning.shared)))
  }

  /// The first segment that no file bears yet: a take that is started again goes on beside what
  /// is there.
  private static func freeSegment(of names: TakeNames, in folder: String) -> Int {
    let taken = (1..<999).prefix { segment in
      [names.sound(segment: segment), names.timingLog(segment: segment)].contains {
        OutputFile.exists(folder + "/" + $0) || OutputFile.exists(folder + "/" + $0 + ".part")
      }
    }
    return taken.count + 1
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
      take: plan, t0: t0, t1: t1, files: [names.sound(segment: segment)],
      timingLogs: [names.timingLog(segment: segment)], frames: sound.frames, gaps: gapCount,
      isComplete: isComplete, last: lastMark)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes: Data
    do {
      bytes = try encoder.encode(summary)
    } catch {
      preconditionFailure("a summary is made of numbers and texts: \(error)")
    }
    let file = try OutputFile(creating: folder + "/" + names.summary(segment: segment))
    try file.append(Array(bytes) + [UInt8(ascii: "\n")])
    try file.finish()
  }
}
