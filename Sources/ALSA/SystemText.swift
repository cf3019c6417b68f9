internal import Glibc

/// Small files, links and folders of /proc and /sys, read below a root.
struct SystemText: Sendable {
  /// The most that is read of a file, in bytes, and of a folder, in names.
  private static let longest = 16_384
  private static let mostNames = 1024

  private let root: String

  init(root: String = "/") { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

  /// What a file says; nothing where it is missing or empty.
  func read(_ path: String) -> String? {
    let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    var used = 0
    while used < bytes.count {
      let count = bytes.withUnsafeMutableBytes { target in
        Glibc.read(file, target.baseAddress.map { $0 + used }, target.count - used)
      }
      if count <= 0 { break }
      used += count
    }
    return used > 0 ? String(decoding: bytes.prefix(used), as: UTF8.self) : nil
  }

  /// The first line of a file without blanks around it; nothing where that is empty.
  func line(_ path: String) -> String? {
    guard let first = read(path)?.split(separator: "\n").first else { return nil }
    let words = first.split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The value behind `name` and a colon, in a file of such lines.
  func value(_ name: String, in path: String) -> String? {
    for line in read(path)?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      if words[0] == name, !words[1].isEmpty { return words[1] }
    }
    return nil
  }

  /// The last part of where a link leads.
  func linkTarget(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink(root + path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: "/").last.map(String.init)
  }

  /// The names in a folder, sorted.
  func names(in path: String) -> [String] {
    guard let folder = opendir(root + path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < Self.mostNames, let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }
}
