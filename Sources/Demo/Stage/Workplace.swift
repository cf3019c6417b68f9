internal import CLinux
internal import FileIO
internal import FoundationEssentials
internal import Glibc

/// A folder of a demo's own, for states, sockets, logs and the scene.
struct Workplace {
  let path: String
  private let keeps: Bool

  /// Makes the folder, which no one else can read, in the place for temporary ones.
  init(keeps: Bool) throws(DemoError) {
    self.keeps = keeps
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((place + "/recorder-demo-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .failed("no folder can be made in \(place): \(SystemFailure.last)")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The path of `name` in the folder.
  func path(_ name: String) -> String { path + "/" + name }

  /// Makes a folder in it.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes a file in it that only this user can read; gives its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DemoError.failed("\(path(name)) cannot be made") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        throw DemoError.failed("\(path(name)): \(SystemFailure.last)")
      }
      rest = rest.dropFirst(max(0, count))
    }
    return path(name)
  }

  /// The last lines of a file in it, for whoever asks why.
  func tail(of name: String, lines: Int = 6) -> String {
    guard let text = try? String(contentsOfFile: path(name), encoding: .utf8) else { return "" }
    return text.split(separator: "\n").suffix(lines).map { "  " + $0 }.joined(separator: "\n")
  }

  /// Removes the folder, or says where it is when it is to be kept.
  func leave() {
    if keeps {
      Output.talk("Kept: \(path)")
    } else {
      // What cannot be removed from a temporary place is left to whoever cleans that.
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Secret bytes in hexadecimal digits.
  static func secret(bytes count: Int) throws(DemoError) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    guard linux_random(&bytes, count) == 0 else { throw .failed("the kernel gives no secrets") }
    return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
