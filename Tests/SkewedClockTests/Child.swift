import CLinux
import Glibc

/// Runs this very test program, or any other, to its end and takes what it says.
enum Child {
  struct Failure: Error { let words: String }

  /// The folder of this program, where SwiftPM puts libraries too.
  static let folder: String = {
    var path = [CChar](repeating: 0, count: 4_096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    let whole = String(
      decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return whole.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  }()

  static func output(of arguments: [String], environment: [String]) throws -> String {
    var ends: [CInt] = [0, 0]
    guard linux_pipe(&ends) == 0 else { throw Failure(words: "no pipe") }
    let list = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in list + variables { free(text) } }
    let pid = list.withUnsafeBufferPointer { list in
      variables.withUnsafeBufferPointer { variables in
        var spawn = linux_spawn(
          path: list[0], arguments: list.baseAddress, environment: variables.baseAddress,
          input: -1, output: ends[1], error: 2)
        return linux_start_process(&spawn)
      }
    }
    close(ends[1])
    defer { close(ends[0]) }
    guard pid > 0 else { throw Failure(words: "\(arguments[0]) does not start: \(pid)") }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk.prefix(count)
    }
    var status: CInt = 0
    _ = linux_reap(pid, true, &status)
    guard linux_exit_code(status) == 0 else { throw Failure(words: "ended with \(status)") }
    return String(decoding: text, as: UTF8.self)
  }
}
