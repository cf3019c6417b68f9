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
  private let inputs: [String]
  private let output: String?
  private let reference: String?
  private let replaces: Bool

  /// The folder beside the raw files into which aligned ones go.
  public static let folderName = "aligned"
  /// The report's name in the output folder.
  public static let reportName = "align.json"
  /// The width of aligned samples.
  static let bits = 24

  /// Makes an aligner.
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
    self.inputs = inputs
    self.output = output
    self.reference = reference
    replaces = replacesExisting
  }

  /// Aligns the take.
  public func run(
    progress: (AlignmentProgress) -> Void = { _ in }
  ) throws(AlignmentError) -> AlignmentReport {
    let files = try read(progress)
    let timeline = try timeline(of: files)
    let folder = output ?? FilePath.folder(files[0].path) + "/" + Self.folderName
    let names = try outputs(of: files, in: folder)
    try OutputName.makeFolders(folder)
    var results: [String: AlignedFile] = [:]
    for (file, path) in zip(files, names) {
      let placement = timeline.placement(of: file.fit)
      try render(file, onto: timeline, placement: placement, to: path, progress)
      results[file.name] = AlignedFile(
        of: file, timeline: timeline, placement: placement, output: path)
    }
    let report = report(of: files, timeline: timeline, folder: folder, results: results)
    try write(report, to: folder)
    return report
  }

  private func read(
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> [TakeFile] {
    var paths = try TakeFolder.soundFiles(of: inputs)
    if let reference, !paths.contains(where: { Self.isSame($0, reference) }) {
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
    return files
  }

  private func timeline(of files: [TakeFile]) throws(AlignmentError) -> Timeline {
    let start = files.map(\.log.header.t0).min() ?? files[0].log.header.t0
    let end = files.map(\.takeEnd).max() ?? start
    let timeline: Timeline
    if let reference {
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

  /// The outputs' paths, each of its own and, unless they may be replaced, free.
  private func outputs(
    of files: [TakeFile], in folder: String
  ) throws(AlignmentError) -> [String] {
    var paths: [String] = []
    for file in files {
      let path = "\(folder)/\(FilePath.soundStem(file.name))_aligned.wav"
      if paths.contains(path) { throw .outputExists(path: path) }
      paths.append(path)
    }
    for path in paths + ["\(folder)/\(Self.reportName)"]
    where !replaces && TakeFolder.exists(path) {
      throw .outputExists(path: path)
    }
    return paths
  }

  private func render(
    _ file: TakeFile, onto timeline: Timeline, placement: Placement, to path: String,
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) {
    let metadata = AlignedMetadata(
      of: file, timeline: timeline, placement: placement, bits: Self.bits)
    let header = WaveHeader(format: metadata.format, bext: metadata.bext, ixml: metadata.ixml)
    let writer = try AlignedWriter(path: path, header: header, replaces: replaces)
    let rendering = Rendering(file: file, placement: placement, writer: writer, bits: Self.bits)
    try rendering.run { progress(.rendering(file: file.path, fraction: $0)) }
    try writer.finish(cues: metadata.cues)
    progress(.wrote(path: path))
  }

  var referenceName: String? { reference.map(FilePath.name) }

  var replacesOutputs: Bool { replaces }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || TakeFolder.identity(of: one) == TakeFolder.identity(of: other)
  }
}
