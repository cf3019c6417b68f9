internal import TakeRecovery

/// What became of each file, for people.
struct RecoveryView {
  let report: RecoveryReport

  var lines: [String] {
    let told = report.files.filter { $0.outcome != .whole || $0.rebuilt != nil }
      .flatMap { lines(of: $0) }
    return told + [total]
  }

  private func lines(of file: RecoveryReport.File) -> [String] {
    var head = "\(file.path): \(Self.word(file.outcome))"
    if file.frames > 0 {
      head += ", \(file.frames) frames (\(Decimals.text(file.seconds, places: 3)) s)"
    }
    let undo = file.undo.map { _ in
      ["  Next, if that was wrong: recorder recover --undo \(ShellWord.quoted(file.path))"]
    }
    let verb = report.isDryRun ? "would have" : "did:"
    return [head] + file.assumed.map { "  found: \($0)" } + file.done.map { "  \(verb) \($0)" }
      + (file.reason.map { ["  \($0)"] } ?? []) + (undo ?? [])
  }

  private static func word(_ outcome: RecoveryReport.Outcome) -> String {
    switch outcome {
    case .recovered: "recovered"
    case .recoverable: "would be recovered"
    case .whole: "whole"
    case .busy: "left alone"
    case .empty: "empty"
    case .undone: "put back"
    case .failed: "not recovered"
    }
  }

  private var total: String {
    func count(_ outcome: RecoveryReport.Outcome) -> Int {
      report.files.count { $0.outcome == outcome }
    }
    let parts = [
      (count(.recovered), "recovered"), (count(.recoverable), "to recover"),
      (count(.whole), "whole already"), (count(.busy), "being recorded"),
      (count(.empty), "empty"), (count(.undone), "put back"), (count(.failed), "not recovered"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let dry = report.isDryRun ? "; nothing was changed" : ""
    return (parts.isEmpty ? "no sound files" : parts.joined(separator: ", ")) + dry
  }
}
