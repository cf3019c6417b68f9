internal import CLinux
internal import Glibc
internal import Units

/// What this process, and the children that it has waited for, have used.
enum ProcessCost {
  /// Seconds of a core.
  static func own() -> Double { used(RUSAGE_SELF.rawValue) }

  static func children() -> Double { used(RUSAGE_CHILDREN.rawValue) }

  private static func used(_ who: Int32) -> Double {
    var usage = rusage()
    guard getrusage(who, &usage) == 0 else { return 0 }
    let parts = [usage.ru_utime, usage.ru_stime]
    return parts.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
  }

  /// The memory that a process has now, in bytes.
  static func memory(of process: Int32?) -> Int64 {
    let path = "/proc/\(process.map { String($0) } ?? "self")/statm"
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int64(words[1]) ?? 0 : 0) * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// `arecord`, beside this process.
final class ARecord {
  let pid: Int32

  /// Records from the card `theirs` to `path` until it is stopped.
  init(_ one: BenchCase, to path: String) throws(BenchError) {
    let words = [
      "/usr/bin/arecord", "-q", "-D", "theirs", "-t", "wav", "-f", "S32_LE", "-r",
      "\(one.rate.hertz)", "-c", "\(one.channels)", path,
    ]
    let arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    pid = arguments.withUnsafeBufferPointer { words in
      var spawn = linux_spawn(
        path: words[0], arguments: words.baseAddress, environment: nil, input: -1, output: -1,
        error: -1)
      return linux_start_process(&spawn)
    }
    guard pid > 0 else {
      throw BenchError(description: "arecord cannot be started; install alsa-utils")
    }
  }

  /// Ends it as Ctrl-C does; what it used, in seconds of a core.
  func stop() -> Double {
    let before = ProcessCost.children()
    kill(pid, SIGINT)
    var status: Int32 = 0
    linux_reap(pid, true, &status)
    return ProcessCost.children() - before
  }
}
