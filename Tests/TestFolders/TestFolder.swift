internal import Glibc

/// A folder of a test's own, gone with the value that made it.
public final class TestFolder: Sendable {
  public let path: String

  /// - Parameter isQuick: whether it lies in memory, where the machine has such a place: no other
  ///   program's writing keeps it waiting then.
  public init(isQuick: Bool = false) {
    let parent = isQuick && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/recorder-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no room for a test's folder in \(parent)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Writes a file, and makes the folders that it lies in; gives its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      precondition(count > 0, "\(file) cannot be written")
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    return file
  }

  @discardableResult
  public func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

  /// Makes a folder, and those that it lies in.
  public func makeFolder(_ name: String) {
    var made = path
    for part in name.split(separator: "/") {
      made += "/\(part)"
      mkdir(made, 0o755)
    }
  }

  /// Makes a link in the folder.
  public func link(_ name: String, to target: String) { symlink(target, "\(path)/\(name)") }

  /// What is in a file; nothing where there is none.
  public func bytes(of name: String) -> [UInt8] { Self.contents(of: "\(path)/\(name)") }

  public func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

  /// The names of all files in the folder and below, as seen from it, in order.
  public var files: [String] {
    Self.files(below: path).map { String($0.dropFirst(path.count + 1)) }.sorted()
  }

  /// The names of what is in a folder; nothing where it is none.
  public static func names(in folder: String) -> [String]? {
    guard let listing = opendir(folder) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// What is in the file at `path`, wherever it is; nothing where there is none.
  public static func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &room, room.count)
      guard count > 0 else { return bytes }
      bytes += room.prefix(count)
    }
  }

  private static func files(below folder: String) -> [String] {
    (names(in: folder) ?? []).flatMap { name in
      let path = "\(folder)/\(name)"
      return names(in: path) == nil ? [path] : files(below: path)
    }
  }

  /// A link is taken away itself, and not what it leads to.
  private static func remove(_ folder: String) {
    for name in names(in: folder) ?? [] where unlink("\(folder)/\(name)") != 0 {
      remove("\(folder)/\(name)")
    }
    rmdir(folder)
  }
}
