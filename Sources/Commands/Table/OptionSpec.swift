/// An option of a command, as help, completion and parsing know it.
struct OptionSpec: Hashable, Sendable {
  /// The name with its dashes, such as `--in`.
  let name: String
  /// What stands for its value in help, such as `1s`; nothing for an option without one.
  let value: String?
  /// What it does, in a line of help.
  let summary: String
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Whether help leaves it out: it is meant for programs.
  var isHidden = false

  init(
    _ name: String, _ value: String? = nil, _ summary: String, isRepeatable: Bool = false,
    isHidden: Bool = false
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.isHidden = isHidden
  }

  /// The option as help shows it, such as `--in 1s`.
  var display: String { value.map { "\(name) \($0)" } ?? name }
}
