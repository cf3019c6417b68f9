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
    _ report: AlignmentReport, series: [String: PageSeries], frameRate: FrameRate,
    markers: [CuePoint], in folder: String
  ) throws(AlignmentError) {
    if !options.exports.isEmpty {
      _ = try export(report, frameRate: frameRate, markers: markers, to: folder)
    }
    let page = options.page ?? (options.onlyReports ? nil : "\(folder)/\(Self.pageName)")
    if let page {
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
    let bound = file.fit.boundNanoseconds * 1e-9 / frameSeconds
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
    let frames = [0.0] + file.fit.curveFrames.filter { $0 > 0 && $0 < last } + [last]
    map = frames.map { [$0 / hertz, course.timelineFrame(of: $0) * frameSeconds] }
    confidence = warnings.isEmpty ? 1 : 0.5
    matched = true
    jitterBoundNanoseconds = Int64(file.fit.jitterBoundNanoseconds.rounded(.up))
    pathLimitNanoseconds = Int64(file.fit.pathLimitNanoseconds.rounded(.up))
    residualNanoseconds = Int64(file.fit.residualNanoseconds.rounded())
    worstResidualNanoseconds = Int64(file.fit.worstResidualNanoseconds.rounded())
    observations = file.fit.observations
    gaps = file.log.gaps.count
    self.isCopy = isCopy
    verdict = warnings.isEmpty ? .good : .check
    self.warnings = warnings
  }
}
