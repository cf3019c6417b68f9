/// All commands with all their options: parsing, help and suggestions come from here alone.
enum CommandTable {
  static let program = "recorder"

  /// Options that every command takes.
  static let everywhere = [
    OptionSpec("--color", "WHEN", "auto, always or never (auto: on a terminal)"),
    OptionSpec("--help", nil, "show this help"),
  ]

  static let socket = OptionSpec(
    "--socket", "PATH", "the daemon's socket (else RECORDER_SOCKET, else the usual place)")
  static let hosts = OptionSpec(
    "--host", "A,B", "only these hosts, by label or id", isRepeatable: true)
  static let json = OptionSpec("--json", nil, "the answer as JSON")
  static let required = OptionSpec(
    "--require", "all|N|A,B", "begin only if these hosts are there, with their cards")
  static let client = [socket, hosts, json]

  static let commands = [
    daemon, cards, arm, start, stop, disarm, status, events, scene, mark, note, circle, takes, pull,
    clock, session, name, forget, group, config, wait, align, verify, recover, info, doctor, bench,
    demo, help,
  ]

  static func command(_ name: String) -> CommandSpec? { commands.first { $0.name == name } }
}
