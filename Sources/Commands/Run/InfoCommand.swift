internal import Control
internal import TakeAlignment

/// `recorder info`: everything about sound files.
struct InfoCommand {
  private let line: ParsedLine
  private let terminal: Terminal

  init(line: ParsedLine, terminal: Terminal) {
    self.line = line
    self.terminal = terminal
  }

  /// The answer as data: files that can be read, and those that cannot with their reasons.
  private struct Answer: Encodable {
    let schema = "recorder.info/1"
    var files: [FileReport] = []
    var unreadable: [String: String] = [:]
  }

  func run() -> ExitCode {
    var answer = Answer()
    for path in line.operands {
      do throws(AlignmentError) {
        let report = try FileInspector.inspect(path)
        answer.files.append(report)
        if !line.has("--json") { show(report, isFirst: answer.files.count == 1) }
      } catch {
        answer.unreadable[path] = error.description
        terminal.say("recorder: \(PlainText.of(error.description))")
        if let next = Self.next(error) { terminal.say("Next: \(PlainText.of(next))") }
      }
    }
    if line.has("--json") {
      do { terminal.print(try JSONText.of(answer)) } catch {
        terminal.say("recorder: the answer has no form as JSON: \(error)")
        return .failed
      }
    }
    let isStrictlyOff = line.has("--strict") && answer.files.contains { !$0.isInOrder }
    return answer.unreadable.isEmpty && !isStrictlyOff ? .success : .failed
  }

  private func show(_ report: FileReport, isFirst: Bool) {
    if !isFirst { terminal.print("") }
    for text in FileView(report: report).lines { terminal.print(text) }
  }

  /// What to do about a file that cannot be read.
  private static func next(_ error: AlignmentError) -> String? {
    switch error {
    case .noSuchInput: "look at the path; a take's files lie in the folder of --output"
    case .isFolder(let path): "recorder info \(ShellWord.quoted(path))/*.wav"
    case .unreadable(let path, _):
      CommandTable.command("recover") == nil
        ? "if it should be a sound file, make a copy before you let any program repair it"
        : "recorder recover --dry-run \(ShellWord.quoted(path))  (says what it could make whole)"
    default: nil
    }
  }
}
