internal import Alignment
internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

extension TakeAligner {
  func report(
    of files: [TakeFile], timeline: Timeline, folder: String, results: [String: AlignedFile]
  ) -> AlignmentReport {
    let header = files[0].log.header
    let frameRate = header.frameRate.flatMap { FrameRate($0) } ?? .fps25
    return AlignmentReport(
      take: header.take, takeName: header.takeName, session: header.session.id,
      output: options.onlyReports ? "" : folder,
      reference: referenceName(files.map { Input(path: $0.path, name: $0.name) }),
      sampleRateHertz: timeline.sampleRate.hertz,
      frames: timeline.count, startShared: timeline.start,
      timeReference: TimeReference.samples(
        at: timeline.start, in: header.session.session, sampleRate: timeline.sampleRate,
        frameRate: frameRate),
      files: results)
  }

  /// Puts the report, the page and the editors' sessions beside what was rendered.
  func finish(
    _ report: AlignmentReport, series: [String: PageSeries], subjects: [CheckSubject],
    parts: [Part], in folder: String
  ) throws(AlignmentError) {
    if !options.exports.isEmpty {
      _ = try export(report, parts: parts, to: folder)
    }
    let page = options.page ?? (options.onlyReports ? nil : "\(folder)/\(Self.pageName)")
    if let page {
      let series = try pictured(
        series, subjects, rate: SampleRate(hertz: report.sampleRateHertz))
      try put(Array(AlignmentPages.html(of: report, series: series).utf8), at: page)
    }
    if options.onlyReports { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let path = "\(folder)/\(Self.reportName)"
    let data: Data
    do { data = try encoder.encode(report) } catch {
      throw .output(path: path, reason: "\(error)")
    }
    try put(Array(data), at: path)
  }

  /// What the page shows, with pictures of sound beside that of the first of `subjects`, which
  /// have their places.
  private func pictured(
    _ series: [String: PageSeries], _ subjects: [CheckSubject], rate: SampleRate
  ) throws(AlignmentError) -> [String: PageSeries] {
    guard let first = subjects.first, let reference = try SoundCut(first, rate: rate) else {
      return series
    }
    var series = series
    for subject in subjects.dropFirst() {
      guard let cut = try SoundCut(subject, rate: rate) else { continue }
      series[subject.name, default: PageSeries()].pictures = try SoundPictures(
        of: cut, beside: reference, rate: rate)
    }
    return series
  }

  /// Writes a file that appears under its name when it is whole.
  func put(_ bytes: [UInt8], at path: String) throws(AlignmentError) {
    if !options.replacesExisting && TakeFolder.exists(path) { throw .outputExists(path: path) }
    let part = path + ".part"
    do { try Data(bytes).write(to: URL(filePath: part)) } catch {
      throw .output(path: path, reason: "\(error)")
    }
    try OutputName.give(path, from: part, replaces: options.replacesExisting)
  }
}

extension AlignedFile {
  init(
    of file: TakeFile, timeline: Timeline, placement: Placement, output: String, isCopy: Bool
  ) {
    let hertz = Double(file.wave.format.sampleRate.hertz)
    let frameSeconds = 1 / Double(timeline.sampleRate.hertz)
    /// Seconds on the timeline at a frame of the file.
    func seconds(_ frame: Double) -> Double {
      (frame - placement.start) / placement.step * frameSeconds
    }
    let last = Double(file.wave.frames)
    let jitterBound = file.fit.jitterBoundNanoseconds + file.unloggedNanoseconds
    let bound = (jitterBound + file.fit.pathLimitNanoseconds) * 1e-9 / frameSeconds
    let warnings = file.warnings(boundFrames: bound)
    path = file.path
    self.output = output
    label = file.log.header.label
    peer = file.log.header.peer
    self.frames = Int64(file.wave.frames)
    channels = file.wave.format.channels
    sampleRateHertz = file.wave.format.sampleRate.hertz
    offsetSeconds = seconds(0)
    ppm = (placement.step * Double(timeline.sampleRate.hertz) / hertz - 1) * 1e6
    let course = RenderCourse(timeline, file.fit)
    let bends = file.fit.curveFrames.map { file.edits.raw($0) }
    let seams = file.edits.flatMap {
      [Double($0.frame) - 0.01, Double($0.frame), Double($0.frame + max(0, -$0.count))]
    }
    let frames = [0.0] + (bends + seams).filter { $0 > 0 && $0 < last }.sorted() + [last]
    map = frames.map { raw in
      [raw / hertz, course.timelineFrame(of: file.edits.repaired(raw)) * frameSeconds]
    }
    repairs =
      file.edits.isEmpty
      ? nil : file.edits.map { AlignedRepair(frame: $0.frame, frames: $0.count) }
    confidence = warnings.isEmpty ? 1 : 0.5
    matched = true
    jitterBoundNanoseconds = Int64(jitterBound.rounded(.up))
    pathLimitNanoseconds = Int64(file.fit.pathLimitNanoseconds.rounded(.up))
    sigmaHeadNanoseconds = Int64(file.fit.sigmaNanoseconds.rounded(.up))
    sigmaTailNanoseconds = sigmaHeadNanoseconds
    residualNanoseconds = Int64(file.fit.residualNanoseconds.rounded())
    worstResidualNanoseconds = Int64(file.fit.worstResidualNanoseconds.rounded())
    observations = file.fit.observations
    gaps = file.log.gaps.count
    self.isCopy = isCopy
    verdict = warnings.isEmpty ? .good : .check
    self.warnings = warnings
  }
}
