import FoundationEssentials
import Glibc

/// A folder that is gone when nobody needs it.
final class TestFolder {
  let path: String

  init() {
    var template = Array("/tmp/recorder-align-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit { _ = system("rm -rf '\(path)'") }

  /// Puts `bytes` into a file, and gives its path.
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    if let slash = name.lastIndex(of: "/") { mkdir("\(path)/\(name[..<slash])", 0o755) }
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// The names of what is in it, folders within too.
  var names: [String] {
    let found = try? FileManager.default.subpathsOfDirectory(atPath: path)
    return (found ?? []).sorted()
  }
}
