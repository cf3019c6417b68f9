/// What is wrong with a command line: each description is a sentence for its user.
enum UsageError: Error, Hashable, Sendable {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String, command: String)
  case missingValue(option: String, example: String)
  case unwantedValue(option: String)
  case repeated(option: String)
  case unwantedOperand(String, command: String)
  case missingOperand(what: String, command: String)
  case badValue(option: String, value: String, wanted: String)
  case together(one: String, other: String)
  case alone(option: String, needs: String)
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noCommand: "say what to do"
    case .unknownCommand(let word):
      "there is no command \"\(word)\""
        + Suggestion.hint(for: word, among: CommandTable.commands.map(\.name))
    case .unknownOption(let name, let command):
      "recorder \(command) has no option \(name)"
        + Suggestion.hint(for: name, among: Self.options(of: command))
    case .missingValue(let option, let example): "\(option) needs a value, such as \(example)"
    case .unwantedValue(let option): "\(option) takes no value"
    case .repeated(let option): "\(option) is given twice"
    case .unwantedOperand(let word, let command):
      "recorder \(command) does not know what to do with \"\(word)\""
        + Suggestion.hint(for: "--" + word, among: Self.options(of: command))
    case .missingOperand(let what, let command): "recorder \(command) needs \(what)"
    case .badValue(let option, let value, let wanted):
      "\(option) \(value) cannot be used: it takes \(wanted)"
    case .together(let one, let other): "\(one) and \(other) exclude each other"
    case .alone(let option, let needs): "\(option) needs \(needs) beside it"
    }
  }

  private static func options(of command: String) -> [String] {
    CommandTable.command(command)?.allOptions.filter { !$0.isHidden }.map(\.name) ?? []
  }
}
