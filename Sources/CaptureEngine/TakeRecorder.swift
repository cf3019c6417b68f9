internal import BroadcastWave
internal import Recording
internal import Units

/// One take of this host in one output folder: its sound files and their timing logs, from the
/// first frame to the last, segment after segment.
final class TakeRecorder {
  /// The most gaps that are known and not written yet.
  static let mostExpected = 1024

  private(set) var plan: TakePlan
  let t0: SharedInstant
  /// The frame of the card's stream that the take begins with.
  let first: SampleIndex
  /// Where the files are.
  let folder: String
  private let beginning: Cut.Beginning
  private let host: CaptureHost
  private let session: Session
  private let format: WaveFormat
  private let tracks: [Track]
  private let settings: FileSettings
  private let names: TakeNames
  private var segment: SegmentWriter
  /// Gaps that are known, and whose silence may not be written yet.
  private var expected: [StreamGap] = []
  /// Gaps before this frame of the stream stand in the logs of segments that are closed.
  private var toldTo = Int64.min
  /// The segment before, which is whole and waits for marks that come late.
  private var lingering: Lingering?
  private var marks = TakeMarks()
  private var certificate = CertificateDraft()
  private var closed: [TakeSummary.File] = []
  private var logs: [String] = []
  private var remarks = TakeRemarks()
  private var lastMark: TimingLogClock?
  /// What is to be said aloud of the files: each once.
  private(set) var warnings: [String] = []

  /// Opens the files of a take with what is said of its beginning.
  init(
    plan: TakePlan, t0: SharedInstant, beginning: Cut.Beginning, output: String,
    host: CaptureHost, session: Session, format: WaveFormat, tracks: [Track] = [],
    settings: FileSettings = FileSettings()
  ) throws(CaptureError) {
    self.plan = plan
    self.t0 = t0
    self.beginning = beginning
    self.host = host
    self.session = session
    self.settings = settings
    self.format = format
    self.tracks = tracks
    first = beginning.first
    let date = CivilTime(at: session.anchor, in: session).dateText
    names = TakeNames(
      plan: plan, session: session.id, date: date, peer: host.peer, label: host.label)
    folder = output + "/" + names.folder
    try OutputFile.makeFolders(folder)
    let describe = Self.describer(plan, beginning, host, session, tracks)
    segment = try SegmentWriter(
      number: Self.freeSegment(from: 1, of: names, in: folder, settings: settings), firstFrame: 0,
      folder: folder, names: names, format: format, settings: settings, describe: describe)
    try beginLogs(firstShared: beginning.shared)
  }

  private typealias Describe = (_ track: Int?, _ format: WaveFormat, _ name: String) ->
    FileDescription

  private static func describer(
    _ plan: TakePlan, _ beginning: Cut.Beginning, _ host: CaptureHost, _ session: Session,
    _ tracks: [Track]
  ) -> Describe {
    { track, format, name in
      var description = FileDescription(
        plan: plan, host: host, session: session, format: format, begins: beginning.begins,
        fileName: name, tracks: tracks)
      description.track = track
      return description
    }
  }

  /// What the first file of the segment says of itself, as the measure for its log.
  private func description(_ place: Int) -> FileDescription {
    let file = segment.files[place]
    let one = WaveFormat(
      sampleRate: format.sampleRate, channels: file.track == nil ? format.channels : 1,
      encoding: format.encoding)
    var description = Self.describer(plan, beginning, host, session, tracks)(
      file.track, one, file.name)
    description.segment = segment.number
    description.firstFrame = segment.firstFrame
    return description
  }

  private func beginLogs(firstShared: SharedInstant) throws(CaptureError) {
    try segment.write { description($0).logHeader(t0: t0, firstShared: firstShared) }
  }

  /// The first segment that no file bears yet: a take that is started again goes on beside what
  /// is there.
  private static func freeSegment(
    from first: Int, of names: TakeNames, in folder: String, settings: FileSettings
  ) -> Int {
    let isTaken = { (segment: Int) in
      [nil, 1].flatMap { track in
        [
          names.sound(segment: segment, track: track),
          names.timingLog(segment: segment, track: track),
        ]
      }.contains {
        OutputFile.exists(folder + "/" + $0) || OutputFile.exists(folder + "/" + $0 + ".part")
      }
    }
    return (first..<first + 100_000).first { !isTaken($0) } ?? first
  }

  /// The frame of the card's stream that comes next.
  var next: SampleIndex { first + FrameCount(frames) }

  /// The frames that were written.
  var frames: Int64 { segment.firstFrame + segment.frames }

  var gapCount: Int { marks.gapCount }

  /// Puts whole frames behind those that are there, in another segment where this one is full.
  func append(_ bytes: [UInt8]) throws(CaptureError) {
    let size = format.bytesPerFrame
    var done = 0
    while done < bytes.count {
      if segment.room == 0 { try beginNextSegment() }
      let count = min((bytes.count - done) / size, Int(clamping: segment.room))
      guard count > 0 else { return }
      let isAll = done == 0 && count * size == bytes.count
      try segment.append(isAll ? bytes : Array(bytes[done..<done + count * size]))
      done += count * size
    }
    if lingering != nil, segment.frames >= lingerFrames { try closeLingering() }
  }

  func keepTrue() throws(CaptureError) { try segment.keepTrue() }

  /// Puts an entry into the log; its frame, if it has one, counts from the take's first.
  /// A marker becomes a cue besides.
  func write(_ entry: TimingLogEntry) throws(CaptureError) {
    certificate.take(entry)
    if case .clock(let clock) = entry { lastMark = clock }
    if case .marker(let marker) = entry { try add(marker) }
    let target = self.segment(ofFrame: entry.frame)
    try target.write(entry.moved(by: -target.firstFrame))
  }

  private func add(_ marker: TimingLogMarker) throws(CaptureError) {
    marks.add(marker)
    let oldest = lingering?.segment.firstFrame ?? segment.firstFrame
    if marker.frame < oldest { try addLate(marker) }
  }

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
    try write(.clock(entry))
  }

  /// Takes note of frames that were lost at `index` and stand as silence.
  func note(_ gap: StreamGap) throws(CaptureError) {
    expected.removeAll { $0.index == gap.index }
    guard let part = gap.clipped(from: max(first.value, toldTo), to: .max) else { return }
    try writeDown(part)
  }

  /// Takes note that a gap is coming, which may still grow.
  func expect(_ gap: StreamGap) {
    expected.removeAll { $0.index == gap.index }
    guard expected.count < Self.mostExpected else { return }
    expected.append(gap)
  }

  /// What of the expected gaps lies before `boundary`, where a segment ends, stands in its log.
  private func noteExpected(before boundary: Int64) throws(CaptureError) {
    for gap in expected {
      if let part = gap.clipped(from: max(first.value, toldTo), to: boundary) {
        try writeDown(part)
      }
    }
    toldTo = boundary
    expected.removeAll { $0.end.value <= boundary }
  }

  /// What lies on both sides of a segment's end belongs to both.
  private func writeDown(_ whole: StreamGap) throws(CaptureError) {
    let border = lingering == nil ? Int64.min : first.value + segment.firstFrame
    for part in [whole.clipped(from: .min, to: border), whole.clipped(from: border, to: .max)] {
      if let part { try writePart(part) }
    }
  }

  private func writePart(_ part: StreamGap) throws(CaptureError) {
    marks.addGap("gap: \(part.words)", frame: part.index - first.value)
    try write(.gap(TimingLogGap(part, from: first)))
  }

  /// Marks a frame of the take in words; `shared` is the instant that a person meant.
  func mark(text: String, frame: Int64, shared: SharedInstant? = nil) throws(CaptureError) {
    try write(.marker(TimingLogMarker(frame: max(0, frame), text: text, shared: shared)))
  }

  /// Takes down what somebody says of the take; the files tell it when they are closed.
  func remark(_ more: TakeRemarks) { remarks = remarks.merged(with: more) }
}

// From one segment to the next, and the end.
extension TakeRecorder {
  /// A segment that is whole and not closed yet.
  private struct Lingering {
    let segment: SegmentWriter
    /// When its last frame ends.
    let end: SharedInstant
    let next: TimingLogSegment
  }

  /// How long a whole segment waits for marks that come late: ten seconds.
  private var lingerFrames: Int64 { Int64(10 * format.sampleRate.hertz) }

  /// The segment that a frame lies in, as far as that is open.
  private func segment(ofFrame frame: Int64?) -> SegmentWriter {
    guard let frame, let before = lingering?.segment, frame < segment.firstFrame else {
      return segment
    }
    return before
  }

  private func beginNextSegment() throws(CaptureError) {
    try closeLingering()
    let full = segment
    let number = Self.freeSegment(
      from: full.number + 1, of: names, in: folder, settings: settings)
    let opened = try SegmentWriter(
      number: number, firstFrame: frames, folder: folder, names: names, format: format,
      settings: settings, describe: Self.describer(plan, beginning, host, session, tracks))
    try full.keepTrue()
    if let last = lastMark {
      let line = last.along(to: opened.firstFrame - 1, rate: format.sampleRate)
      try full.write(.clock(line).moved(by: -full.firstFrame))
    }
    let shared = firstShared(ofFrame: opened.firstFrame)
    lingering = Lingering(
      segment: full, end: shared,
      next: TimingLogSegment(
        frame: full.frames, next: number, nextFile: opened.files[0].name))
    segment = opened
    try beginLogs(firstShared: shared)
    if let last = lastMark {
      let line = last.along(to: opened.firstFrame, rate: format.sampleRate)
      try segment.write(.clock(line).moved(by: -opened.firstFrame))
    }
  }

  private func closeLingering() throws(CaptureError) {
    guard let full = lingering else { return }
    try noteExpected(before: first.value + full.segment.firstFrame + full.segment.frames)
    lingering = nil
    try full.segment.write(.segment(full.next))
    try close(full.segment, isLast: false, t1: full.end, isComplete: true)
  }

  /// A mark in a segment that is closed: there it can stand in the iXML alone.
  private func addLate(_ marker: TimingLogMarker) throws(CaptureError) {
    let files = closed.filter {
      marker.frame >= $0.firstFrame && marker.frame < $0.firstFrame + $0.frames
    }
    for file in files {
      try ClosedFile.editMetadata(of: folder + "/" + file.name) { ixml in
        ixml.syncPoints.append(
          IXML.SyncPoint(
            function: "MARKER_GENERIC", comment: marker.text,
            sample: UInt64(marker.frame - file.firstFrame)))
      }
    }
  }

  /// When a frame was taken, by the last place that is known and the card's measured rate.
  private func firstShared(ofFrame frame: Int64) -> SharedInstant {
    let rate = format.sampleRate
    guard let last = lastMark else {
      return beginning.shared + rate.duration(of: FrameCount(frame))
    }
    return last.along(to: frame, rate: rate).shared
  }

  private func close(
    _ segment: SegmentWriter, isLast: Bool, t1: SharedInstant, isComplete: Bool
  ) throws(CaptureError) {
    let part = marks.of(segment.firstFrame, frames: segment.frames, isLast: isLast)
    var state = FileState()
    state.frames = segment.frames
    state.markers = part.syncPoints
    state.remarks = remarks
    state.totalFiles = totalFiles(segments: closedSegments + 1)
    state.user = certificate.certificate(t0: t0, t1: t1).words(
      t0: t0, session: session, host: host)
    let missing = try segment.finishSounds(cues: part.cues, state: state)
    if missing > 0 {
      warnings.append(
        "\(missing) markers did not fit into \(segment.files[0].name); its timing log has them all")
    }
    try segment.write(
      .summary(
        TimingLogSummary(
          frames: segment.frames, t1: t1, lastShared: isLast ? lastMark?.shared ?? t1 : t1,
          gaps: part.gaps, isComplete: isComplete)))
    try segment.finishLogs()
    closed += segment.closedFiles
    logs += segment.timingLogs
  }

  private var closedSegments: Int { Set(closed.map(\.segment)).count }

  /// All hosts' files, where all split as this one does.
  private func totalFiles(segments: Int) -> Int {
    max(1, plan.fileCount ?? segment.files.count) * segments
  }

  /// Closes the files; the take ended at `t1`.
  ///
  /// - Returns: what is still to be done, and may last: digests of the files.
  @discardableResult
  func finish(t1: SharedInstant, isComplete: Bool) throws(CaptureError) -> TakeClosing {
    try closeLingering()
    let first = closed.first?.segment ?? segment.number
    try close(segment, isLast: true, t1: t1, isComplete: isComplete)
    var summary = TakeSummary(
      take: plan, t0: t0, t1: t1, files: closed.map(\.name), timingLogs: logs, frames: frames,
      gaps: gapCount, isComplete: isComplete && beginning.reaches(t0), last: lastMark)
    fill(&summary)
    let name = names.summary(segment: first)
    try TakeSummaryFile.create(summary, at: folder + "/" + name)
    return TakeClosing(folder: folder, name: name, tellsFiles: closedSegments > 1)
  }

  private func fill(_ summary: inout TakeSummary) {
    let certificate = certificate.certificate(t0: t0, t1: summary.t1)
    let judged = TakeVerdict(
      isComplete: summary.isComplete, isWhole: beginning.reaches(t0), certificate: certificate)
    let start = description(0)
    summary.verdict = judged.verdict
    summary.reasons = judged.reasons
    summary.peer = host.peer
    summary.label = host.label
    summary.session = session.id
    summary.t0UnixNanoseconds = session.unixNanoseconds(at: t0)
    summary.utcOffsetSeconds = session.utcOffsetSeconds
    summary.sampleRateHertz = format.sampleRate.hertz
    summary.bits = format.encoding.bits
    summary.channels = format.channels
    summary.timeReference = start.firstReference
    summary.timecode =
      Timecode(
        sample: start.firstReference, sampleRate: format.sampleRate, rate: start.timecode.rate
      )
      .description + " at \(start.timecode)"
    summary.fileDetails = closed
    summary.totalFiles = totalFiles(segments: closedSegments)
    summary.remarks = remarks
    summary.markers = marks.people
    summary.certificate = certificate
  }
}
