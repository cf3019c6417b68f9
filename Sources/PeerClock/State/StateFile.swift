internal import Glibc

/// Whole small files, read within a limit and replaced so that a crash leaves the old or the new.
enum StateFile {
  /// No state file of ours comes near this; a longer one is not ours.
  static let longest = 1 << 20

  /// What the system refused, as an errno.
  struct Failure: Error {
    let code: Int32
    var reason: String { String(cString: strerror(code)) }
  }

  /// The file's bytes; nothing where there is no such file.
  static func read(_ path: String) throws(Failure) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 && errno == ENOENT { return nil }
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &room, room.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(code: errno) }
      if count == 0 { return bytes }
      bytes += room.prefix(count)
      guard bytes.count <= longest else { throw Failure(code: EFBIG) }
    }
  }

  /// Puts `bytes` in the file's place; only its owner may read it.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let draft = path + ".new"
    try write(draft, bytes)
    guard rename(draft, path) == 0 else { throw Failure(code: errno) }
    syncFolder(of: path)
  }

  /// Writes a file and waits until the disk has it.
  static func write(_ path: String, _ bytes: [UInt8]) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
    guard fdatasync(file) == 0 else { throw Failure(code: errno) }
  }

  /// A rename is on the disk when its folder is. A file system that cannot say so still has it.
  private static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let handle = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { return }
    fsync(handle)
    close(handle)
  }

  /// Makes the folder and those above it; their owner's alone where they are new.
  static func makeFolders(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      if mkdir(made, 0o700) != 0 && errno != EEXIST { throw Failure(code: errno) }
      made += "/"
    }
  }
}
