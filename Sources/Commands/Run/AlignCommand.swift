internal import Control
internal import Glibc
internal import TakeAlignment

/// `recorder align`: a take's files onto one timeline.
struct AlignCommand {
  private let line: ParsedLine
  private let terminal: Terminal
  private let aligner: TakeAligner

  init(line: ParsedLine, terminal: Terminal) throws(UsageError) {
    self.line = line
    self.terminal = terminal
    aligner = TakeAligner(
      inputs: line.operands, output: line.value("--out"), reference: line.value("--reference"),
      replacesExisting: line.has("--force"))
  }

  func run() throws(UsageError) -> ExitCode {
    let report: AlignmentReport
    do throws(AlignmentError) {
      report = try aligner.run { progress in terminal.sign(Self.text(progress)) }
      terminal.sign("")
    } catch {
      terminal.sign("")
      terminal.say("recorder: \(error)")
      if case .unknownReference = error { return .usage }
      return .failed
    }
    return show(report)
  }

  private func show(_ report: AlignmentReport) -> ExitCode {
    if let target = line.value("--json") {
      do {
        try write(try JSONText.of(report), to: target)
      } catch {
        terminal.say("recorder: cannot write the report: \(error)")
        return .failed
      }
    }
    if line.value("--json") != "-" {
      for text in AlignmentView(report: report).lines { terminal.print(text) }
    }
    terminal.say("Next: open the files of \(ShellWord.quoted(report.output)) in your editor")
    return .success
  }

  private struct Failure: Error, CustomStringConvertible {
    let path: String
    let code: Int32
    var description: String { "\"\(path)\": \(String(cString: strerror(code)))" }
  }

  private func write(_ text: String, to path: String) throws {
    guard path != "-" else { return terminal.print(text) }
    guard let file = fopen(path, "we") else { throw Failure(path: path, code: errno) }
    let isWritten = fputs(text + "\n", file) >= 0
    guard fclose(file) == 0, isWritten else { throw Failure(path: path, code: errno) }
  }

  private static func text(_ progress: AlignmentProgress) -> String {
    switch progress {
    case .reading(let file): "reading \(file)"
    case .rendering(let file, let fraction):
      "rendering \(file) \(Decimals.text(fraction * 100, places: 0)) %"
    case .wrote(let path): "wrote \(path)"
    }
  }
}
