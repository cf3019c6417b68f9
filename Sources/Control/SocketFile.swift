internal import CLinux
internal import FileIO
internal import Glibc

/// The socket of a daemon in the file system: made for its owner, and a group where there is one,
/// and removed at the end.
final class SocketFile: Sendable {
  let path: String
  let descriptor: Int32
  /// The group that the socket was given to; nothing: it is its owner's alone.
  let group: UInt32?

  /// Listens at `path`, making its folder where that is missing.
  init(listeningAt path: String, group: UInt32? = nil) throws(ControlError) {
    self.path = path
    guard path.utf8.count <= ControlPath.longestBytes else {
      throw .pathTooLong(path: path, limitBytes: ControlPath.longestBytes)
    }
    try Self.makeFolder(of: path, group: group)
    try Self.clearStale(path)
    (descriptor, self.group) = try Self.listen(path, group: group)
  }

  /// How long its disk may take to forget it; what stays is cleared at the next start.
  private static let patience = Duration.seconds(1)

  /// Closes the socket and takes it out of the file system.
  func remove() async {
    shutdown(descriptor, Int32(SHUT_RDWR))
    let path = path
    _ = await SideLine(name: "socket").value(within: Self.patience) { unlink(path) }
  }

  deinit { close(descriptor) }

  private static func listen(
    _ path: String, group: UInt32?
  ) throws(ControlError) -> (Int32, UInt32?) {
    let made = try check(linux_unix_socket(), path, "socket")
    do {
      try check(linux_unix_bind(made, path), path, "bind")
      // Without a right to give it away it stays its owner's.
      let isShared = group.map { chown(path, uid_t.max, $0) == 0 } ?? false
      try check(chmod(path, isShared ? 0o660 : 0o600) == 0 ? 0 : -errno, path, "chmod")
      try check(linux_listen(made, 16), path, "listen")
      return (made, isShared ? group : nil)
    } catch {
      close(made)
      throw error
    }
  }

  /// A folder in /tmp is made by whoever comes first: it must be ours, or it is not used.
  private static func makeFolder(of path: String, group: UInt32?) throws(ControlError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    var made = folder.hasPrefix("/") ? "/" : ""
    var isNew = false
    for part in folder.split(separator: "/") {
      made += part
      isNew = mkdir(made, 0o700) == 0
      guard isNew || errno == EEXIST else {
        throw .system(path: made, function: "mkdir", code: errno)
      }
      made += "/"
    }
    if isNew, let group, chown(folder, uid_t.max, group) == 0 { chmod(folder, 0o750) }
    var found = stat()
    guard folder.hasPrefix("/tmp/recorder-"), lstat(folder, &found) == 0 else { return }
    guard found.st_uid == getuid() else { throw .notAuthorised(path: folder) }
  }

  /// A socket that nobody listens at is what a crashed daemon left.
  private static func clearStale(_ path: String) throws(ControlError) {
    var found = stat()
    guard lstat(path, &found) == 0 else { return }
    guard found.st_mode & S_IFMT == S_IFSOCK else {
      throw .system(path: path, function: "bind", code: EEXIST)
    }
    let probe = try check(linux_unix_socket(), path, "socket")
    defer { close(probe) }
    let status = linux_unix_connect(probe, path)
    if status >= 0 || status == -EAGAIN { throw .inUse(path: path) }
    guard status == -ECONNREFUSED else {
      try check(status, path, "connect")
      return
    }
    unlink(path)
  }
}

/// Makes an error of a negative status of `CLinux`.
@discardableResult
func check(_ status: Int32, _ path: String, _ function: String) throws(ControlError) -> Int32 {
  guard status < 0 else { return status }
  switch -status {
  case ENOENT, ECONNREFUSED: throw .noDaemon(path: path)
  case EACCES, EPERM: throw .notAuthorised(path: path)
  case ENAMETOOLONG: throw .pathTooLong(path: path, limitBytes: ControlPath.longestBytes)
  default: throw .system(path: path, function: function, code: -status)
  }
}
