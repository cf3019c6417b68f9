internal import Control

/// `recorder config`: what a daemon that is started now would go by, and why.
struct ConfigCommand {
  private struct Report: Encodable {
    struct Setting: Encodable {
      let key: String
      let values: [String]
      let origin: String
    }

    struct File: Encodable {
      let path: String
      let exists: Bool
    }

    let schema = "recorder.config/1"
    let settings: [Setting]
    let files: [File]
  }

  private let line: ParsedLine
  private let output: AnswerOutput
  private let environment: (String) -> String?

  init(line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?) {
    self.line = line
    self.environment = environment
    output = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
  }

  func run() -> ExitCode {
    let configuration = Configuration(line: daemonLine, environment: environment)
    do throws(SettingsRefusal) {
      // The daemon's own reading of it finds what a value may not be.
      _ = try configuration.made { line throws(UsageError) in
        try DaemonCommand(line: line, terminal: output.terminal, environment: environment)
      }
    } catch {
      return output.fail(error.description, .configuration)
    }
    let settings = Configuration.options.compactMap { option in
      configuration.origins[option.name].map { origin in
        Report.Setting(
          key: String(option.name.dropFirst(2)),
          values: configuration.line.values[option.name].map { values in
            option.value == nil ? ["yes"] : values
          } ?? ["no"], origin: "\(origin)")
      }
    }
    let files = configuration.files.map { Report.File(path: $0.path, exists: $0.isThere) }
    if output.asJSON {
      return output.printJSON(Report(settings: settings, files: files), .success)
    }
    show(settings, files)
    return .success
  }

  /// A daemon's command line that says nothing but where the settings are.
  private var daemonLine: ParsedLine {
    var values: [String: [String]] = [:]
    if let path = line.value("--config") { values["--config"] = [path] }
    let daemon = CommandTable.command("daemon") ?? line.command
    return ParsedLine(command: daemon, values: values, operands: [])
  }

  private func show(_ settings: [Report.Setting], _ files: [Report.File]) {
    let isWide = line.has("--show-origin")
    for setting in settings {
      for value in setting.values {
        let text = "\(setting.key) = \(PlainText.of(value))"
        output.terminal.print(isWide ? "\(text)   ; \(setting.origin)" : text)
      }
    }
    if settings.isEmpty { output.terminal.say("recorder: nothing is set: all is as by default") }
    let looked = files.map { "\($0.path)\($0.exists ? "" : " (not there)")" }
    output.terminal.say("Looked at: the environment, \(looked.joined(separator: ", "))")
  }
}
