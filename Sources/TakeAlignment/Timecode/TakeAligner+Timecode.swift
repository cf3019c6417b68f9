internal import Alignment
internal import BroadcastWave
internal import Units

extension TakeAligner {
  /// Places files by their timecode alone.
  ///
  /// - Parameter refused: files that have no place already.
  func runByTimecode(
    _ inputs: [Input], besides refused: [RefusedInput] = [],
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> AlignmentReport {
    for input in inputs { progress(.reading(file: input.path)) }
    let (files, strangers) = try RefusedInput.sorted(inputs) {
      input throws(AlignmentError) in try TimecodeFile(input)
    }
    let refused = refused + strangers
    try refused.check(left: files.count, reference: options.reference)
    let reference = options.reference.flatMap { chosen in
      files.firstIndex { Self.isSame($0.path, chosen) }
    }
    let scene = TimecodeScene(files, reference: reference)
    guard scene.count > 0 else { throw .emptyTake }
    let check =
      options.checksBySound
      ? try check(scene.subjects, timeline: scene.sampleRate, progress) : nil
    let folder = outputFolder(besides: files[0].path)
    let placed = scene.parts
    let interruption = Interruption()
    let rendered = try render(placed.map(\.part), to: folder, interruption, progress)
    var results: [String: AlignedFile] = [:]
    for index in files.indices {
      let place = placed.firstIndex { $0.index == index }
      var result = scene.file(
        index, output: place.map { rendered[$0].path } ?? "",
        isCopy: place.map { placed[$0].part.isCopy(as: options.format) } ?? false, isGuest: false)
      place.map { rendered[$0].mark(&result) }
      check?.mark(&result)
      results[files[index].name] = result
    }
    var report = AlignmentReport(
      take: nil, takeName: "", session: nil, output: options.onlyReports ? "" : folder,
      reference: referenceName(inputs), sampleRateHertz: scene.sampleRate.hertz,
      frames: scene.count,
      startShared: nil, timeReference: scene.timeReference, files: results)
    report.method = "timecode"
    report.pairs = check?.pairs
    refused.mark(&report)
    try finish(
      report, series: [:], subjects: scene.subjects, parts: placed.map(\.part), in: folder)
    return report
  }
}

extension TimecodeScene {
  /// The placed files as sound is asked about them.
  var subjects: [TakeAligner.CheckSubject] {
    entries.filter(\.isPlaced).map { entry in
      TakeAligner.CheckSubject(
        path: entry.file.path, name: entry.file.name, course: course(of: entry), edits: [],
        hertz: entry.file.hertz,
        frames: Int64(entry.file.wave.frames), boundSeconds: entry.file.boundSeconds)
    }
  }
}
