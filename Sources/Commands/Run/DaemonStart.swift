internal import Control

/// Starts a daemon by its flags, its environment and its files.
struct DaemonStart {
  let line: ParsedLine
  let terminal: Terminal
  let environment: (String) -> String?

  /// Runs it until its end; on SIGHUP it goes by what flags, environment and files say then.
  func run() throws(UsageError) -> Int32 {
    guard let command = try command() else { return ExitCode.configuration.rawValue }
    return command.run {
      do throws(UsageError) {
        return try self.command()
      } catch {
        self.terminal.say("recorder: \(error)")
        return nil
      }
    }
  }

  /// The command with the settings of all places; nothing, and said why, where they are not good.
  private func command() throws(UsageError) -> DaemonCommand? {
    let configuration = Configuration(line: line, environment: environment)
    do throws(SettingsRefusal) {
      return try configuration.made { line throws(UsageError) in
        try DaemonCommand(line: line, terminal: terminal, environment: environment)
      }
    } catch {
      if case .usage(let error) = error { throw error }
      terminal.say("recorder: \(error)")
      return nil
    }
  }
}
