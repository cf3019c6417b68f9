/// A command line, understood: a command, its options and its operands.
struct ParsedLine: Hashable, Sendable {
  let command: CommandSpec
  /// Values by option, in the order given; an option without a value has an empty one.
  let values: [String: [String]]
  let operands: [String]

  /// The same without one of its options.
  func without(_ option: String) -> ParsedLine {
    ParsedLine(command: command, values: values.filter { $0.key != option }, operands: operands)
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  func value(_ option: String) -> String? { values[option]?.last }

  /// The parts of a list with commas, blanks around them or not, over all times that the option was
  /// given.
  func list(_ option: String) -> [String] {
    (values[option] ?? []).flatMap { text in
      text.split(separator: ",").map { String($0.withoutBlanksAround) }.filter { !$0.isEmpty }
    }
  }
}

/// Reads words by the table.
enum CommandLineParser {
  /// The longest command line, in words.
  static let mostWords = 8192

  /// Reads `words`, without the program's name.
  static func parse(_ words: [String]) throws(UsageError) -> ParsedLine {
    guard let name = words.first else { throw .noCommand }
    guard let command = CommandTable.command(name) else { throw .unknownCommand(name) }
    var reader = Reader(command: command, words: words.dropFirst().prefix(mostWords))
    try reader.read()
    let line = ParsedLine(command: command, values: reader.values, operands: reader.operands)
    if !line.has("--help") { try checkOperands(line) }
    return line
  }

  private static func checkOperands(_ line: ParsedLine) throws(UsageError) {
    let command = line.command
    if line.operands.count > command.operandCount.upperBound {
      throw .unwantedOperand(line.operands[command.operandCount.upperBound], command: command.name)
    }
    guard line.operands.count >= command.operandCount.lowerBound else {
      throw .missingOperand(what: command.operands ?? "an operand", command: command.name)
    }
  }

  private struct Reader {
    let command: CommandSpec
    var words: ArraySlice<String>
    var values: [String: [String]] = [:]
    var operands: [String] = []

    mutating func read() throws(UsageError) {
      while let word = words.popFirst() {
        if word == "--" {
          operands += words
          return
        }
        if word == "-h" {
          values["--help"] = [""]
        } else if word.hasPrefix("-"), word.count > 1 {
          try readOption(word)
        } else {
          operands.append(word)
        }
      }
    }

    private mutating func readOption(_ word: String) throws(UsageError) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = command.option(name) else {
        throw .unknownOption(name, command: command.name)
      }
      let attached = parts.count > 1 ? String(parts[1]) : nil
      if values[name] != nil && !option.isRepeatable { throw .repeated(option: name) }
      guard let example = option.value else {
        guard attached == nil else { throw .unwantedValue(option: name) }
        values[name] = [""]
        return
      }
      guard let value = attached ?? takeValue() else {
        throw .missingValue(option: name, example: example)
      }
      values[name, default: []].append(value)
    }

    /// The next word, unless it is an option: values that begin with a dash are a lone dash, a
    /// negative number, or are attached by `=`.
    private mutating func takeValue() -> String? {
      guard let next = words.first, !next.isEmpty else { return nil }
      let isNegative = next.hasPrefix("-") && next.dropFirst().first?.isNumber == true
      guard !next.hasPrefix("-") || next == "-" || isNegative else { return nil }
      return words.popFirst()
    }
  }
}

extension Substring {
  /// The same without blanks at its beginning and its end.
  fileprivate var withoutBlanksAround: Substring {
    let text = drop { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { text[...$0] } ?? ""
  }
}
