import CLinux
import Glibc

/// Runs other programs, found on the path.
enum Shell {
  struct Result {
    let code: Int32
    let output: String
  }

  /// Runs a program to its end; what it wrote, errors included.
  static func run(_ program: String, _ arguments: [String]) -> Result {
    var ends: [Int32] = [0, 0]
    precondition(linux_pipe(&ends) == 0, "there is a pipe for a test")
    let words = ([onPath(program)] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let pid = words.withUnsafeBufferPointer { words in
      var spawn = linux_spawn(
        path: words[0], arguments: words.baseAddress, environment: linux_environment(),
        input: empty, output: ends[1], error: ends[1])
      return linux_start_process(&spawn)
    }
    close(empty)
    close(ends[1])
    defer { close(ends[0]) }
    guard pid > 0 else { return Result(code: 127, output: "\(program) is not there") }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &room, room.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += room.prefix(count)
    }
    var status: Int32 = 0
    _ = linux_reap(pid, true, &status)
    return Result(code: linux_exit_code(status), output: String(decoding: bytes, as: UTF8.self))
  }

  /// The Python that `.ci/setup` has given its packages to.
  static let python = ".build/readers/bin/python3"

  /// Whether that Python has a package; where it could not be installed, tests of it are left out.
  static func hasPackage(_ name: String) -> Bool {
    access(python, X_OK) == 0 && run(python, ["-c", "import \(name)"]).code == 0
  }

  private static func onPath(_ program: String) -> String {
    if program.contains("/") { return program }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let places = path.split(separator: ":").map { "\($0)/\(program)" }
    return places.first { access($0, X_OK) == 0 } ?? program
  }
}
