import CLinux
import Glibc
import TestFolders

/// The program as a shell runs it.
enum Program {
  /// What a run ended with, and what it said.
  struct Result {
    let code: Int32
    let output: String
    let talk: String
  }

  /// Where the program and its libraries were built: beside the test program.
  static let folder: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let itself = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let candidates = [itself] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    for path in candidates {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/")
      if access(folder + "/recorder", X_OK) == 0 { return folder }
    }
    return "."
  }()

  /// Runs the program to its end, which must come within half a minute.
  static func run(_ words: [String], of path: String? = nil, variables: [String] = []) -> Result {
    let scratch = TestFolder()
    let child = Child(words, of: path, scratch: scratch, variables: variables)
    let code = child.wait(seconds: 30)
    return Result(code: code, output: child.output, talk: child.talk)
  }
}

/// A running program, whose input ends when the test does, whatever happens to it.
final class Child {
  let pid: Int32
  private let lifeline: Int32
  private let files: (output: String, talk: String)
  private var status: Int32?

  /// Starts the recorder, or the program at `path`.
  init(
    _ words: [String], of path: String? = nil, scratch: TestFolder, variables: [String] = []
  ) {
    var ends: [Int32] = [0, 0]
    precondition(linux_pipe(&ends) == 0, "there is a pipe for a test")
    lifeline = ends[1]
    files = (scratch.write([], to: "output"), scratch.write([], to: "talk"))
    let output = open(files.output, O_WRONLY | O_APPEND | O_CLOEXEC)
    let talk = open(files.talk, O_WRONLY | O_APPEND | O_CLOEXEC)
    let path = path ?? Program.folder + "/recorder"
    let arguments = ([path] + words).map { strdup($0) } + [nil]
    let environment =
      (["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"] + variables)
      .map { strdup($0) } + [nil]
    defer {
      for text in arguments + environment { free(text) }
      for descriptor in [ends[0], output, talk] { close(descriptor) }
    }
    pid = arguments.withUnsafeBufferPointer { arguments in
      environment.withUnsafeBufferPointer { environment in
        var spawn = linux_spawn(
          path: arguments[0], arguments: arguments.baseAddress,
          environment: environment.baseAddress, input: ends[0], output: output, error: talk)
        return linux_start_process(&spawn)
      }
    }
    precondition(pid > 0, "the program starts")
  }

  deinit {
    close(lifeline)
    if status == nil { kill(pid, SIGKILL) }
    var status: Int32 = 0
    if self.status == nil { _ = linux_reap(pid, true, &status) }
  }

  var output: String { TestFolder.text(of: files.output) }
  var talk: String { TestFolder.text(of: files.talk) }

  /// What the program ended with; 255 where it did not within `seconds`.
  func wait(seconds: Int) -> Int32 {
    for _ in 0..<seconds * 100 {
      var found: Int32 = 0
      if status == nil, linux_reap(pid, false, &found) == pid { status = linux_exit_code(found) }
      if let status { return status }
      usleep(10_000)
    }
    return 255
  }

  /// Waits until the talk contains `text`, up to ten seconds.
  func says(_ text: String) -> Bool {
    for _ in 0..<1000 {
      if talk.contains(text) { return true }
      usleep(10_000)
    }
    return false
  }
}
