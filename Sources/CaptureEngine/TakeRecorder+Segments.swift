internal import BroadcastWave
internal import Recording
internal import Units

// From one segment to the next, and the end.
extension TakeRecorder {
  /// A segment that is whole and not closed yet.
  struct Lingering {
    let segment: SegmentWriter
    /// When its last frame ends.
    let end: SharedInstant
    let next: TimingLogSegment
  }

  /// How long a whole segment waits for marks that come late: ten seconds.
  var lingerFrames: Int64 { Int64(10 * format.sampleRate.hertz) }

  /// The segment that a frame lies in, as far as that is open.
  func segment(ofFrame frame: Int64?) -> SegmentWriter {
    guard let frame, let before = lingering?.segment, frame < segment.firstFrame else {
      return segment
    }
    return before
  }

  func beginNextSegment() throws(CaptureError) {
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

  func closeLingering() throws(CaptureError) {
    guard let full = lingering else { return }
    try noteExpected(before: first.value + full.segment.firstFrame + full.segment.frames)
    lingering = nil
    try full.segment.write(.segment(full.next))
    try close(full.segment, isLast: false, t1: full.end, isComplete: true)
  }

  /// A mark in a segment that is closed: its cues are written anew. A take never fails by that.
  func addLate(_ marker: TimingLogMarker) {
    let files = closed.filter {
      marker.frame >= $0.firstFrame && marker.frame < $0.firstFrame + $0.frames
    }
    for file in files {
      do throws(CaptureError) {
        try ClosedFile.mark(marker, in: file, folder: folder, limit: settings.trailerLimit)
      } catch {
        warnings.append("a late mark stands in the timing log alone: \(error)")
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
