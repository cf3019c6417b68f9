internal import TakeAlignment
internal import Units

/// What aligning a take found, for people.
struct AlignmentView {
  let report: AlignmentReport

  var lines: [String] {
    let seconds = Double(report.frames) / Double(report.sampleRateHertz)
    let length = "\(report.frames) frames (\(Decimals.text(seconds, places: 3)) s)"
    var table = TextTable(rightAligned: [1, 2, 3])
    table.add(["  FILE", "OFFSET s", "PPM", "BOUND samples", "VERDICT"])
    let files = report.files.sorted { $0.key < $1.key }
    for (name, file) in files { table.add(["  \(name)"] + cells(of: file)) }
    let warnings = files.flatMap { name, file in file.warnings.map { "  \(name): \($0)" } }
    let sounds = files.compactMap { name, file in
      file.sound.flatMap { Self.text(of: $0).map { "  \(name): \($0)" } }
    }
    let title = report.takeName.isEmpty ? "by \(report.method)" : "“\(report.takeName)”"
    return ["aligned \(title): \(files.count) files on \(length)"] + table.lines
      + (sounds.isEmpty ? [] : ["Sound says:"] + sounds)
      + (warnings.isEmpty ? [] : ["Look at:"] + warnings)
      + (report.output.isEmpty ? [] : ["in \(report.output)"])
  }

  private func cells(of file: AlignedFile) -> [String] {
    guard file.matched else { return ["–", "–", "–", "✗ no place"] }
    let bound = file.boundFrames(sampleRate: report.sampleRateHertz)
    return [
      Decimals.text(file.offsetSeconds, places: 6), Decimals.text(file.ppm, places: 3),
      "±" + Decimals.text(bound, places: 2), file.verdict == .good ? "✓" : "check",
    ]
  }

  /// What sound says of a place that the clock found.
  private static func text(of finding: SoundFinding) -> String? {
    guard let seconds = finding.differenceSeconds, let metres = finding.differenceMetres,
      let ppm = finding.differencePPM
    else { return nil }
    return "heard \(Decimals.text(seconds * 1000, places: 3)) ms beside the clock "
      + "(\(Decimals.text(metres, places: 2)) m of travel), rate off by "
      + "\(Decimals.text(ppm, places: 3)) ppm"
  }
}
