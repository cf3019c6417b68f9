/// Help, made of the table.
enum HelpText {
  private static let width = 92

  /// What the program can do.
  static func overview() -> String {
    var lines = [
      "recorder: many Linux machines, one recorder", "",
      "Usage: recorder COMMAND [OPTION…]", "", "Commands:",
    ]
    let names = CommandTable.commands.map(\.name)
    let column = (names.map(\.count).max() ?? 0) + 4
    for command in CommandTable.commands {
      lines.append("  " + padded(command.name, column) + command.summary)
    }
    lines += [
      "", "recorder help COMMAND shows a command's options; recorder --version the version.",
      "To begin: recorder demo", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// What one command does, with its options.
  static func of(_ command: CommandSpec) -> String {
    let usage = ["recorder", command.name, "[OPTION…]", command.operands].compactMap(\.self)
    var lines = ["recorder \(command.name): \(command.summary)", ""]
    lines += ["Usage: " + usage.joined(separator: " "), "", "Options:"]
    let shown = command.allOptions.filter { !$0.isHidden }
    let column = (shown.map(\.display.count).max() ?? 0) + 4
    for option in shown {
      let text = option.summary + (option.isRepeatable ? " (may be repeated)" : "")
      lines.append("  " + padded(option.display, column) + text)
    }
    for paragraph in command.details { lines += [""] + wrapped(paragraph) }
    if !command.examples.isEmpty { lines += ["", "Such as:"] + command.examples.map { "  " + $0 } }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
