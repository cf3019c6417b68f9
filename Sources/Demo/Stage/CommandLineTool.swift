internal import CLinux
internal import FileIO
internal import FoundationEssentials
internal import Glibc
internal import HostClock
internal import Units

/// The product's own command line, as a user would use it.
struct CommandLineTool {
  /// The longest that a command may take, in seconds.
  private static let patience = 60.0

  let program: String
  /// Where the commands' talk goes.
  let log: String
  let interruption: Interruption

  /// Runs a command and reads what it says as JSON; nothing where it fails.
  func ask<Answer: Decodable>(
    _ arguments: [String], for type: Answer.Type
  ) throws(DemoError) -> Answer? {
    let (code, text) = try run(arguments)
    guard code == 0 else { return nil }
    return try? JSONDecoder().decode(type, from: Data(text))
  }

  /// Runs a command that must succeed, and reads what it says as JSON.
  func demand<Answer: Decodable>(
    _ arguments: [String], for type: Answer.Type
  ) throws(DemoError) -> Answer {
    let (code, text) = try run(arguments)
    let command = "recorder " + arguments.joined(separator: " ")
    guard code == 0 else { throw .failed("`\(command)` ended with \(code)\(why())") }
    do {
      return try JSONDecoder().decode(type, from: Data(text))
    } catch {
      throw .failed("`\(command)` said what is not its answer: \(error)")
    }
  }

  /// Runs a command that must succeed.
  func demand(_ arguments: [String]) throws(DemoError) {
    let (code, _) = try run(arguments)
    let command = "recorder " + arguments.joined(separator: " ")
    guard code == 0 else { throw .failed("`\(command)` ended with \(code)\(why())") }
  }

  /// What a command ends with and what it says on its standard output.
  func run(_ arguments: [String]) throws(DemoError) -> (code: Int32, output: [UInt8]) {
    let errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    var ends: [CInt] = [0, 0]
    guard errors >= 0, linux_pipe(&ends) == 0 else {
      throw .failed("a command cannot be run: \(SystemFailure.last)")
    }
    defer {
      close(errors)
      close(ends[0])
    }
    let child: ChildProcess
    do throws(DemoError) {
      child = try ChildProcess(
        path: program, arguments: arguments, output: ends[1], error: errors)
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    do throws(DemoError) {
      let text = try read(ends[0])
      return (child.exitCode(waiting: true) ?? 1, text)
    } catch {
      kill(child.pid, SIGKILL)
      _ = child.exitCode(waiting: true)
      throw error
    }
  }

  private func read(_ descriptor: CInt) throws(DemoError) -> [UInt8] {
    let end = HostClock().now() + .seconds(Self.patience)
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while HostClock().now() < end {
      var watched = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&watched, 2, 1_000)
      if watched[1].revents != 0 { throw .interrupted }
      if watched[0].revents == 0 { continue }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count <= 0 { return text }
      text += chunk.prefix(count)
    }
    throw .failed("a command did not end within \(Int(Self.patience)) s")
  }

  private func why() -> String {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    let last = text.split(separator: "\n").suffix(6).map { "\n  " + $0 }.joined()
    return last.isEmpty ? "" : ":" + last
  }
}
