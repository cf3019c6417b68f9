internal import Control
internal import PeerClock

/// `recorder group new|join|show|leave`: the hosts that this one belongs to.
struct GroupCommand {
  private enum Verb: String {
    case new
    case join
    case show
    case leave
  }

  /// The group as `--json` gives it.
  private struct Report: Encodable {
    let schema = "recorder.group/1"
    let name: String
    let fingerprint: String
    let file: String
    var passphrase: String?
  }

  private let verb: Verb
  private let name: String?
  private let directory: String
  private let passphraseFile: String?
  private let output: AnswerOutput

  init(
    line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?
  ) throws(UsageError) {
    guard let verb = line.operands.first.flatMap(Verb.init(rawValue:)) else {
      throw .unwantedOperand(line.operands.first ?? "", command: line.command.name)
    }
    self.verb = verb
    name = line.operands.dropFirst().first
    let wantsName = verb == .new || verb == .join
    if wantsName, name == nil {
      throw .missingOperand(what: "a name for the group", command: "group \(verb.rawValue)")
    }
    if !wantsName, let name { throw .unwantedOperand(name, command: "group \(verb.rawValue)") }
    passphraseFile = line.value("--passphrase-file")
    if passphraseFile != nil, !wantsName {
      throw .alone(option: "--passphrase-file", needs: "new or join")
    }
    directory = line.value("--state") ?? UserPlaces(environment: environment).state
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
  }

  func run() -> ExitCode {
    do throws(PeerClockError) {
      switch verb {
      case .new: return try make()
      case .join: return try join()
      case .show: return try show()
      case .leave: return try leave()
      }
    } catch {
      return output.fail(error.description, .configuration)
    }
  }

  private func make() throws(PeerClockError) -> ExitCode {
    if let refusal = try refusalToReplace() { return refusal }
    let passphrase: String
    if passphraseFile == nil {
      var generator = SystemRandomNumberGenerator()
      passphrase = Passphrase.make(from: &generator)
    } else {
      guard let read = read() else { return .configuration }
      passphrase = read
    }
    let group = try GroupFile(name: name ?? "", passphrase: passphrase)
    let file = try group.keep(in: directory)
    let isNew = passphraseFile == nil
    tell(group, file: file, passphrase: isNew ? passphrase : nil)
    guard !output.asJSON else { return .success }
    if isNew {
      output.terminal.print("passphrase   \(passphrase)")
      output.terminal.say("Write it down: it is not kept, and the other hosts need it.")
    }
    let shown = ShellWord.quoted(group.name)
    output.terminal.say(
      "Next: on each other host: recorder group join \(shown); then (re)start the daemons: "
        + "recorder daemon --input hw:1")
    return .success
  }

  private func join() throws(PeerClockError) -> ExitCode {
    if let refusal = try refusalToReplace() { return refusal }
    guard let passphrase = read() else { return .configuration }
    let group = try GroupFile(name: name ?? "", passphrase: passphrase)
    tell(group, file: try group.keep(in: directory), passphrase: nil)
    guard !output.asJSON else { return .success }
    output.terminal.say(
      "Next: compare the fingerprint with the other hosts' (recorder group show); then (re)start "
        + "the daemon: recorder daemon --input hw:1")
    return .success
  }

  private func show() throws(PeerClockError) -> ExitCode {
    guard let group = try GroupFile.load(from: directory) else {
      return output.fail(
        "this host belongs to no group: its daemon serves this machine alone", .wrongState,
        next: "recorder group new NAME, or recorder group join NAME")
    }
    tell(group, file: path, passphrase: nil)
    return .success
  }

  private func leave() throws(PeerClockError) -> ExitCode {
    guard try GroupFile.remove(from: directory) else {
      return output.fail("this host belongs to no group", .wrongState)
    }
    output.terminal.say("recorder: left the group; a daemon that runs goes on until its restart")
    return .success
  }

  private var path: String { "\(directory)/\(GroupFile.fileName)" }

  private func refusalToReplace() throws(PeerClockError) -> ExitCode? {
    guard let group = try GroupFile.load(from: directory) else { return nil }
    return output.fail(
      "this host belongs to the group \"\(group.name)\" already", .wrongState,
      next: "recorder group leave")
  }

  private func tell(_ group: GroupFile, file: String, passphrase: String?) {
    if output.asJSON {
      let report = Report(
        name: group.name, fingerprint: group.fingerprint, file: file, passphrase: passphrase)
      _ = output.printJSON(report, .success)
      return
    }
    output.terminal.print("group        \(PlainText.of(group.name))")
    output.terminal.print("fingerprint  \(group.fingerprint)")
    output.terminal.print("file         \(file)")
  }

  /// The passphrase: the file's first line, or what is typed; nothing, and said why, where there
  /// is none.
  private func read() -> String? {
    let text: String?
    if let passphraseFile {
      switch SecretFile.read(passphraseFile) {
      case .text(let line, let isOpenToOthers):
        text = line
        if isOpenToOthers {
          output.terminal.say(SecretFile.warning(of: passphraseFile))
        }
      case .unreadable(let reason):
        _ = output.fail("cannot read \"\(passphraseFile)\": \(reason)", .configuration)
        return nil
      }
    } else {
      text = SecretEntry.read(prompt: "passphrase of \(name ?? "the group"): ")
    }
    guard let text, !text.isEmpty else {
      _ = output.fail(
        "no passphrase was given; type it, or name a file: --passphrase-file FILE", .configuration)
      return nil
    }
    return text
  }
}
