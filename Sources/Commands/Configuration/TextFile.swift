internal import FileIO
internal import Glibc

/// Small files that people write.
enum TextFile {
  enum Content {
    case bytes([UInt8])
    case absent
    case unreadable(reason: String)
  }

  /// The file's bytes, `limit` at most.
  static func read(_ path: String, upToBytes limit: Int) -> Content {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT || errno == ENOTDIR { return .absent }
    guard file >= 0 else { return .unreadable(reason: SystemFailure.last.description) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 8192)
    while bytes.count < limit {
      let count = Glibc.read(file, &room, min(room.count, limit - bytes.count))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return .unreadable(reason: SystemFailure.last.description) }
      if count == 0 { break }
      bytes += room.prefix(count)
    }
    return .bytes(bytes)
  }
}
