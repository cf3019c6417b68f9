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
    let inputs = try inputs()
    switch options.method {
    case .clock: return try runByClock(inputs, progress)
    case .timecode: return try runByTimecode(inputs, progress)
    case .sound: return try runBySound(inputs, progress)
    }
  }

  /// A sound file and what it is called in the report.
  struct Input: Sendable {
    let path: String
    let name: String
  }

  /// The sound files, the reference among them, each once.
  private func inputs() throws(AlignmentError) -> [Input] {
    var paths = try TakeFolder.soundFiles(of: options.inputs)
    if let reference = options.reference, !paths.contains(where: { Self.isSame($0, reference) }) {
      guard TakeFolder.exists(reference) else { throw .noSuchInput(path: reference) }
      paths.insert(reference, at: 0)
    }
    guard !paths.isEmpty else { throw .noSoundFiles(folder: ".") }
    var seen: Set<[UInt64]> = []
    paths = paths.filter { seen.insert(TakeFolder.identity(of: $0)).inserted }
    return zip(paths, FilePath.names(paths)).map { Input(path: $0, name: $1) }
  }

  /// Places files by their timing logs. Guests among them, which have none, go by timecode.
  private func runByClock(
    _ inputs: [Input], _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> AlignmentReport {
    let logged = inputs.filter { TakeFolder.exists(TimingLogFile.path(ofSound: $0.path)) }
    if logged.isEmpty { return try runByTimecode(inputs, progress) }
    let others = inputs.filter { input in !logged.contains { $0.path == input.path } }
    let (files, damaged) = try read(logged, progress)
    if files.isEmpty && !others.isEmpty {
      return try runByTimecode(others, besides: damaged, progress)
    }
    let (guests, strangers) = try RefusedInput.sorted(others) {
      input throws(AlignmentError) in try TimecodeFile(input)
    }
    let refused = damaged + strangers
    try refused.check(left: files.count, reference: options.reference)
    let timeline = try timeline(of: files)
    let scene = guestScene(of: guests, beside: files, on: timeline)
    let subjects = files.map { CheckSubject(of: $0, timeline: timeline) } + scene.subjects
    let check =
      options.checksBySound
      ? try check(subjects, timeline: timeline.sampleRate, progress) : nil
    let parts = files.map { Part(of: $0, timeline: timeline) }
    let placed = scene.parts
    let folder = outputFolder(besides: files[0].path)
    let interruption = Interruption()
    let rendered = try render(parts + placed.map(\.part), to: folder, interruption, progress)
    var results: [String: AlignedFile] = [:]
    for (place, file) in files.enumerated() {
      results[file.name] = AlignedFile(
        of: file, timeline: timeline, placement: timeline.placement(of: file.fit),
        output: rendered[place].path, isCopy: parts[place].isCopy(as: options.format))
      results[file.name].mark(rendered[place], check)
    }
    for index in guests.indices {
      let place = placed.firstIndex { $0.index == index }
      let outcome = place.map { rendered[files.count + $0] }
      results[guests[index].name] = scene.file(
        index, output: outcome?.path ?? "",
        isCopy: place.map { placed[$0].part.isCopy(as: options.format) } ?? false, isGuest: true)
      results[guests[index].name].mark(outcome, check)
    }
    var report = report(of: files, timeline: timeline, folder: folder, results: results)
    report.pairs = check?.pairs
    refused.mark(&report)
    var series: [String: PageSeries] = [:]
    for file in files { series[file.name] = PageSeries(of: file, timeline: timeline) }
    try finish(
      report, series: series, subjects: subjects, parts: parts + placed.map(\.part), in: folder)
    return report
  }

  /// Reads the files of the take that most of `inputs` are of, and fits them to shared time.
  private func read(
    _ inputs: [Input], _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> (files: [TakeFile], refused: [RefusedInput]) {
    for input in inputs { progress(.reading(file: input.path)) }
    let (read, damaged) = try RefusedInput.sorted(inputs) {
      input throws(AlignmentError) in try LoggedFile(input)
    }
    let (own, others) = try Self.take(of: read)
    let strays = others.map { file in
      RefusedInput(
        input: Input(path: file.path, name: file.name),
        error: .differentTakes(one: own[0].path, other: file.path))
    }
    let refit = TakeRefit(own.map(\.log))
    let places = own.map { file in Input(path: file.path, name: file.name) }
    let (files, placeless) = try RefusedInput.sorted(places) { input throws(AlignmentError) in
      let index = own.firstIndex { $0.path == input.path } ?? 0
      return try TakeFile(own[index], refitted: refit.observations(of: index))
    }
    return (files, damaged + strays + placeless)
  }

  /// The files of the take that most are of, and the others. Of two takes alike none is chosen.
  private static func take(
    of files: [LoggedFile]
  ) throws(AlignmentError) -> (files: [LoggedFile], others: [LoggedFile]) {
    guard let first = files.first else { return ([], []) }
    let kin = files.map { one in files.filter { $0.isOfTake(of: one) } }
    let own = kin.max { $0.count < $1.count } ?? files
    let rivals = kin.filter { $0.count == own.count && !$0[0].isOfTake(of: own[0]) }
    if let rival = rivals.first {
      let other = rival[0].isOfTake(of: first) ? own[0] : rival[0]
      throw .differentTakes(one: first.path, other: other.path)
    }
    return (own, files.filter { !$0.isOfTake(of: own[0]) })
  }

  /// Where guests lie on a take's timeline.
  private func guestScene(
    of guests: [TimecodeFile], beside files: [TakeFile], on timeline: Timeline
  ) -> TimecodeScene {
    let header = files[0].log.header
    let frameRate = header.frameRate.flatMap { FrameRate($0) } ?? .fps25
    let reference = TimeReference.samples(
      at: timeline.start, in: header.session.session, sampleRate: timeline.sampleRate,
      frameRate: frameRate)
    return TimecodeScene(
      guests, on: timeline, timeReference: reference, frameRate: frameRate)
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
        reference: file.fit, start: start, end: end, frames: file.repairedFrames)
    } else {
      let rate = files.map(\.wave.format.sampleRate).max() ?? files[0].wave.format.sampleRate
      timeline = Timeline(sampleRate: rate, start: start, end: end)
    }
    guard timeline.count > 0 else { throw .emptyTake }
    return timeline
  }

  /// What the chosen reference is called in the report, which knows it by one of `paths`.
  func referenceName(_ files: [Input]) -> String? {
    options.reference.flatMap { chosen in files.first { Self.isSame($0.path, chosen) }?.name }
  }

  static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || TakeFolder.identity(of: one) == TakeFolder.identity(of: other)
  }
}

extension AlignedFile? {
  /// Adds what rendering and sound have to say.
  fileprivate mutating func mark(_ rendered: Rendered?, _ check: TakeAligner.SoundCheck?) {
    guard var file = self else { return }
    rendered?.mark(&file)
    check?.mark(&file)
    self = file
  }
}

extension TakeAligner.CheckSubject {
  init(of file: TakeFile, timeline: Timeline) {
    self.init(
      path: file.path, name: file.name, course: RenderCourse(timeline, file.fit),
      edits: file.edits,
      hertz: Double(file.wave.format.sampleRate.hertz), frames: Int64(file.wave.frames),
      boundSeconds: file.fit.boundNanoseconds * 1e-9)
  }
}
