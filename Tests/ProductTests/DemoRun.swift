import Demo
import FoundationEssentials
import Glibc
import TestFolders

/// `recorder demo` as a process, with a place for temporary folders that is its own.
final class DemoRun {
  /// Where this program and the product lie.
  static let folder: String = {
    let room = [CChar](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, readlink("/proc/self/exe", buffer.baseAddress!, buffer.count))
    }
    let path = String(decoding: room.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }()

  private let ownFolder = TestFolder()
  let place: String
  let process: ChildProcess

  /// Starts a demo; an `--output` among `arguments` takes the place of the run's own.
  init(_ arguments: [String], program: String = folder + "/recorder") throws {
    place = ownFolder.path
    let output = open(place + "/out", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let error = open(place + "/err", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(output)
      close(error)
    }
    mkdir(place + "/tmp", 0o700)
    process = try ChildProcess(
      path: program,
      arguments: ["demo"]
        + (arguments.contains("--output") ? [] : ["--output", place + "/Recordings"]) + arguments,
      variables: ["TMPDIR": place + "/tmp"], output: output, error: error)
  }

  enum Failure: Error { case noPlace }

  /// Waits up to `seconds` until `condition` holds.
  static func wait(seconds: Double, until condition: () -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 50) {
      if condition() { return true }
      usleep(20_000)
    }
    return condition()
  }

  /// The processes, beside the demo itself, whose command line names this run's place.
  var daemons: [Int32] {
    Self.names(in: "/proc").compactMap { Int32($0) }.filter { pid in
      guard pid != process.pid else { return false }
      return Self.text("/proc/\(pid)/cmdline").contains(place + "/tmp")
    }
  }

  var output: String { Self.text(place + "/out") }
  var talk: String { Self.text(place + "/err") }
  /// What is left of the demo's temporary folders.
  var leftovers: [String] { Self.names(in: place + "/tmp") }

  static func names(in folder: String) -> [String] { TestFolder.names(in: folder) ?? [] }

  static func text(_ path: String) -> String {
    String(decoding: TestFolder.contents(of: path), as: UTF8.self)
  }

  deinit { process.stop() }
}
