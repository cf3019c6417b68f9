internal import Alignment
internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// Aligns a take: reads its files and their timing logs, fits each to shared time, lays all onto
/// one timeline, and writes files of equal beginning and length beside a report.
///
/// The raw files are only read. Outputs appear under their names when they are whole.
public struct TakeAligner: Sendable {
  let options: AlignmentOptions

  /// The folder beside the raw files into which aligned ones go.
  public static let folderName = "aligned"
  /// The report's name in the output folder.
  public static let reportName = "align.json"
  /// The page's name there.
  public static let pageName = "align.html"

  /// Makes an aligner.
  public init(_ options: AlignmentOptions) { self.options = options }

  /// Makes an aligner by the clock.
  ///
  /// - Parameters:
  ///   - inputs: a take's folder, or a folder with one take under it, or sound files.
  ///   - output: the folder to write to; `aligned` beside the first raw file when nil.
  ///   - reference: the input whose crystal is the measure of the timeline; shared time when nil.
  ///   - replacesExisting: whether outputs may replace files of the same names.
  public init(
    inputs: [String], output: String? = nil, reference: String? = nil,
    replacesExisting: Bool = false
  ) {
    var options = AlignmentOptions(inputs: inputs)
    options.output = output
    options.reference = reference
    options.replacesExisting = replacesExisting
    self.init(options)
  }

  /// Aligns the files.
  public func run(
    progress: (AlignmentProgress) -> Void = { _ in }
  ) throws(AlignmentError) -> AlignmentReport {
    switch options.method {
    case .clock: try runByClock(progress)
    case .sound: try runBySound(progress)
    }
  }

  private func runByClock(
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> AlignmentReport {
    let files = try read(progress)
    let timeline = try timeline(of: files)
    let check = options.checksBySound ? try check(files, timeline: timeline, progress) : nil
    let parts = files.map { file in
      Part(of: file, timeline: timeline, format: options.format)
    }
    let folder = outputFolder(besides: files[0].path)
    let outputs = try render(parts, to: folder, progress)
    var results: [String: AlignedFile] = [:]
    for (place, file) in files.enumerated() {
      var result = AlignedFile(
        of: file, timeline: timeline, placement: timeline.placement(of: file.fit),
        output: outputs[place], isCopy: parts[place].isCopy(as: options.format))
      if let check {
        result.sound = check.findings[place]
        result.warnings += check.warnings[place]
        if !check.warnings[place].isEmpty { result.verdict = .check }
      }
      results[file.name] = result
    }
    var report = report(of: files, timeline: timeline, folder: folder, results: results)
    report.pairs = check?.pairs
    var series: [String: PageSeries] = [:]
    for file in files { series[file.name] = PageSeries(of: file, timeline: timeline) }
    try finish(
      report, series: series, frameRate: parts[0].subject.frameRate,
      markers: Self.markers(of: parts), in: folder)
    return report
  }

  private func read(
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> [TakeFile] {
    var paths = try TakeFolder.soundFiles(of: options.inputs)
    if let reference = options.reference, !paths.contains(where: { Self.isSame($0, reference) }) {
      guard TakeFolder.exists(reference) else { throw .noSuchInput(path: reference) }
      paths.insert(reference, at: 0)
    }
    guard !paths.isEmpty else { throw .noSoundFiles(folder: ".") }
    var files: [TakeFile] = []
    for path in paths {
      progress(.reading(file: path))
      files.append(try TakeFile(path: path))
    }
    for file in files.dropFirst() {
      let (one, other) = (files[0].log.header, file.log.header)
      guard one.session.id == other.session.id, one.take == other.take else {
        throw .differentTakes(one: files[0].path, other: file.path)
      }
    }
    let refit = TakeRefit(files.map(\.log))
    for index in files.indices {
      if let observations = refit.observations(of: index) { try files[index].refit(observations) }
    }
    return files
  }

  private func timeline(of files: [TakeFile]) throws(AlignmentError) -> Timeline {
    let start = files.map(\.log.header.t0).min() ?? files[0].log.header.t0
    let end = files.map(\.takeEnd).max() ?? start
    let timeline: Timeline
    if let reference = options.reference {
      guard let file = files.first(where: { Self.isSame($0.path, reference) }) else {
        throw .unknownReference(path: reference)
      }
      timeline = Timeline(
        reference: file.fit, start: start, end: end, frames: Int64(file.wave.frames))
    } else {
      let rate = files.map(\.wave.format.sampleRate).max() ?? files[0].wave.format.sampleRate
      timeline = Timeline(sampleRate: rate, start: start, end: end)
    }
    guard timeline.count > 0 else { throw .emptyTake }
    return timeline
  }

  var referenceName: String? { options.reference.map(FilePath.name) }

  static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || TakeFolder.identity(of: one) == TakeFolder.identity(of: other)
  }
}
