/// A command of the program, as help, completion and parsing know it.
struct CommandSpec: Hashable, Sendable {
  let name: String
  /// What it does, in a line.
  let summary: String
  /// What stands for its operands in help, such as `DIR|FILE…`; nothing where it takes none.
  var operands: String?
  /// How many operands it takes.
  var operandCount: ClosedRange<Int> = 0...0
  var options: [OptionSpec]
  /// What more there is to know, in paragraphs.
  var details: [String] = []
  /// What to type, with what comes of it.
  var examples: [String] = []

  /// Its own options and those of every command.
  var allOptions: [OptionSpec] { options + CommandTable.everywhere }

  func option(_ name: String) -> OptionSpec? { allOptions.first { $0.name == name } }
}
