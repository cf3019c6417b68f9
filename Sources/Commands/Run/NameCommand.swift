internal import Control
internal import Recording
internal import Units

/// `recorder name` without a name: what this host is called, and was.
struct NameCommand {
  private let terminal: Terminal
  private let output: AnswerOutput
  private let client: ControlClient

  init(line: ParsedLine, terminal: Terminal) {
    self.terminal = terminal
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    client = ControlClient(path: ControlPath.find(explicit: line.value("--socket")))
  }

  private struct Names: Encodable {
    let schema = "recorder.name/1"
    let peer: String
    let label: String
    let former: [String]
  }

  func run() -> ExitCode {
    do throws(ControlError) {
      guard case .fleet(let fleet) = try client.ask(ControlRequest(.status)),
        let own = fleet.hosts.first(where: { $0.peer == fleet.peer })
      else { return output.fail("the daemon is of another version", .failed) }
      let names = Names(
        peer: own.peer.description, label: own.label, former: own.formerLabels ?? [])
      if output.asJSON { return output.printJSON(names, .success) }
      terminal.print("\(PlainText.of(names.label))  \(names.peer)")
      if !names.former.isEmpty {
        terminal.print("formerly " + names.former.map(PlainText.of).joined(separator: ", "))
      }
      return .success
    } catch {
      return output.fail(error)
    }
  }
}
