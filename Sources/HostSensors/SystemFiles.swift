internal import Glibc

/// Small files and folders of /sys and the like, read below a root.
struct SystemFiles: Sendable {
  /// The longest value that is read, in bytes; the kernel's own are a few.
  private static let longestValue = 256
  /// The most entries of a folder that are looked at.
  private static let mostEntries = 256

  let root: String

  init(root: String) { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

  /// The names in a folder, sorted; none where it is not there.
  func names(in path: String) -> [String] {
    guard let folder = opendir(root + path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < Self.mostEntries, let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a file without its spaces; nothing where it is missing or empty.
  func text(_ path: String) -> String? {
    let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longestValue)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let line = bytes.prefix(count).prefix { $0 != 0x0a }
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The lines of a file; none where it is missing. Of a longer one than 4 KiB, the first.
  func lines(_ path: String) -> [Substring] {
    let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  /// The number that a file holds; nothing where it is missing or holds another thing.
  func number(_ path: String) -> Double? {
    text(path).flatMap { Int64($0) }.map { Double($0) }
  }
}
