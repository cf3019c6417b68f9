internal import CLinux
internal import FileIO
internal import Glibc

/// A process that this one started.
///
/// A daemon has a pipe as its input: when this process ends, however it ends, the pipe closes,
/// and the daemon quits.
package final class ChildProcess {
  package let pid: CInt
  private var lifeline: CInt
  private var status: CInt?

  /// Starts `path` with `arguments`, `variables` added to the environment, writing to the
  /// descriptors `output` and `error` (-1: nowhere).
  package init(
    path: String, arguments: [String], variables: [String: String] = [:], output: CInt = -1,
    error: CInt = -1, hasLifeline: Bool = false
  ) throws(DemoError) {
    var ends: [CInt] = [-1, -1]
    if hasLifeline, linux_pipe(&ends) < 0 { throw .failed("there is no pipe to be had") }
    lifeline = ends[1]
    pid = Self.start(
      path: path, arguments: arguments, environment: Self.environment(with: variables),
      descriptors: (ends[0], output, error))
    if ends[0] >= 0 { close(ends[0]) }
    if pid <= 0 {
      if lifeline >= 0 { close(lifeline) }
      throw .failed("\(path) cannot be started: \(SystemFailure(code: -pid))")
    }
  }

  private static func environment(with variables: [String: String]) -> [String] {
    var all: [String] = []
    var place = linux_environment()
    while let entry = place?.pointee {
      let text = String(cString: entry)
      let name = String(text.prefix { $0 != "=" })
      // A clock, a card or a setting of whoever runs the demo is not the daemons'.
      if variables[name] == nil, !name.hasPrefix("SKEWED_CLOCK_"), !name.hasPrefix("RECORDER_") {
        all.append(text)
      }
      place = place?.successor()
    }
    return all + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  private static func start(
    path: String, arguments: [String], environment: [String], descriptors: (CInt, CInt, CInt)
  ) -> CInt {
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    return words.withUnsafeBufferPointer { words in
      variables.withUnsafeBufferPointer { variables in
        var spawn = linux_spawn(
          path: words[0], arguments: words.baseAddress, environment: variables.baseAddress,
          input: descriptors.0, output: descriptors.1, error: descriptors.2)
        return linux_start_process(&spawn)
      }
    }
  }

  /// What the process ended with, or nothing while it runs.
  package func exitCode(waiting: Bool = false) -> Int32? {
    if status == nil {
      var found: CInt = 0
      if linux_reap(pid, waiting, &found) == pid { status = found }
    }
    return status.map { linux_exit_code($0) }
  }

  /// Asks the process to quit by the end of its input.
  package func release() {
    if lifeline >= 0 { close(lifeline) }
    lifeline = -1
  }

  /// Sees to it that the process has ended: by the end of its input, else by force.
  package func stop() {
    release()
    for (signal, patience) in [(CInt(0), 250), (SIGTERM, 50), (SIGKILL, 50)] {
      if exitCode() != nil { return }
      if signal != 0 { kill(pid, signal) }
      for _ in 0..<patience where exitCode() == nil { usleep(10_000) }
    }
  }
}
