internal import Control
internal import RecorderDaemon

/// The program: understands a command line, and runs it.
public enum RecorderCommand {
  /// Runs the command in `words` (the program's own name left out), and returns its exit code.
  public static func run(_ words: [String]) -> Int32 {
    let environment = ControlPath.variable
    let plain = Terminal(color: .auto, environment: environment)
    switch words.first {
    case "--version", "-V":
      plain.print(RecorderDaemon.software)
      return ExitCode.success.rawValue
    case "--help", "-h":
      plain.print(HelpText.overview())
      return ExitCode.success.rawValue
    default: break
    }
    do throws(UsageError) {
      let line = try CommandLineParser.parse(words)
      let terminal = Terminal(color: try color(line), environment: environment)
      return try run(line, terminal: terminal, environment: environment)
    } catch {
      return complain(error, words: words, terminal: plain)
    }
  }

  private static func run(
    _ line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?
  ) throws(UsageError) -> Int32 {
    if line.has("--help") {
      terminal.print(HelpText.of(line.command))
      return ExitCode.success.rawValue
    }
    switch line.command.name {
    case "daemon" where line.has("--print-unit"):
      let options = CommandLine.arguments.dropFirst(2).filter { $0 != "--print-unit" }
      terminal.print(UnitFile(options: Array(options)).text)
      return ExitCode.success.rawValue
    case "daemon":
      return try DaemonStart(line: line, terminal: terminal, environment: environment).run()
    case "config":
      return ConfigCommand(line: line, terminal: terminal, environment: environment).run().rawValue
    case "bench":
      return try BenchCommand(line: line, terminal: terminal, environment: environment).run()
        .rawValue
    case "cards": return CardsCommand(line: line, terminal: terminal).run().rawValue
    case "align": return try PulledAlignment(line: line, terminal: terminal).run().rawValue
    case "name" where line.operands.isEmpty:
      return NameCommand(line: line, terminal: terminal).run().rawValue
    case "pull": return try PullCommand(line: line, terminal: terminal).run().code.rawValue
    case "verify": return VerifyCommand(line: line, terminal: terminal).run().rawValue
    case "info": return InfoCommand(line: line, terminal: terminal).run().rawValue
    case "recover":
      return RecoverCommand(line: line, terminal: terminal, environment: environment).run().rawValue
    case "doctor":
      return try DoctorCommand(line: line, terminal: terminal, environment: environment).run()
        .rawValue
    case "demo": return try DemoCommand(line: line, environment: environment).run()
    case "clock": return try ClockCommand(line: line, terminal: terminal).run().rawValue
    case "session": return try SessionCommand(line: line, terminal: terminal).run().rawValue
    case "group":
      return try GroupCommand(line: line, terminal: terminal, environment: environment).run()
        .rawValue
    case "events": return try EventsCommand(line: line, terminal: terminal).run().rawValue
    case "takes": return try TakesCommand(line: line, terminal: terminal).run().rawValue
    case "scene" where TakesCommand.asksForSlate(line):
      return try TakesCommand(line: line, terminal: terminal).run().rawValue
    case "wait": return try WaitCommand(line: line, terminal: terminal).run().rawValue
    case "help": return try help(line, terminal).rawValue
    default: return try ClientCommand(line: line, terminal: terminal).run().rawValue
    }
  }

  private static func help(
    _ line: ParsedLine, _ terminal: Terminal
  ) throws(UsageError) -> ExitCode {
    guard let name = line.operands.first else {
      terminal.print(HelpText.overview())
      return .success
    }
    guard let command = CommandTable.command(name) else { throw .unknownCommand(name) }
    terminal.print(HelpText.of(command))
    return .success
  }

  private static func color(_ line: ParsedLine) throws(UsageError) -> Terminal.Color {
    guard let value = line.value("--color") else { return .auto }
    guard let color = Terminal.Color(rawValue: value) else {
      throw .badValue(option: "--color", value: value, wanted: "auto, always or never")
    }
    return color
  }

  private static func complain(
    _ error: UsageError, words: [String], terminal: Terminal
  ) -> Int32 {
    if case .noCommand = error {
      terminal.say(HelpText.overview())
      return ExitCode.usage.rawValue
    }
    let command = words.first.flatMap { CommandTable.command($0)?.name }
    terminal.say("recorder: \(error)")
    terminal.say("See: recorder help" + (command.map { " \($0)" } ?? ""))
    return ExitCode.usage.rawValue
  }
}
