internal import TakeAlignment
internal import Units

/// What aligning a take found, for people.
struct AlignmentView {
  let report: AlignmentReport

  var lines: [String] {
    let seconds = Double(report.frames) / Double(report.sampleRateHertz)
    let length = "\(report.frames) frames (\(Decimals.text(seconds, places: 3)) s)"
    var table = TextTable(rightAligned: [1, 2, 3, 4])
    table.add(["  FILE", "OFFSET s", "PPM", "RESIDUAL", "BOUND samples"])
    for (name, file) in report.files.sorted(by: { $0.key < $1.key }) {
      table.add([
        "  \(name)", Decimals.text(file.offsetSeconds, places: 6),
        Decimals.text(file.ppm, places: 3),
        Decimals.time(nanoseconds: file.residualNanoseconds),
        "±" + Decimals.text(file.boundFrames(sampleRate: report.sampleRateHertz), places: 2),
      ])
    }
    let warnings = report.files.sorted { $0.key < $1.key }.flatMap { name, file in
      file.warnings.map { "  \(name): \($0)" }
    }
    return ["aligned “\(report.takeName)”: \(report.files.count) files of \(length)"] + table.lines
      + (warnings.isEmpty ? [] : ["Look at:"] + warnings) + ["in \(report.output)"]
  }
}
