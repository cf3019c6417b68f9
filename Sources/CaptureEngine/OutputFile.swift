internal import CLinux
internal import FileIO
internal import Glibc

/// A file that bears `.part` behind its name until it is whole, and never replaces another, but
/// for one of words that says more than the one before it.
final class OutputFile {
  let path: String
  private let descriptor: Int32
  private let replaces: Bool
  private var end: UInt64 = 0
  /// Up to here room is reserved; nothing where the file system knows no such thing.
  private var reserved: UInt64? = 0
  private var isClosed = false

  /// Creates the file; its final name must be free too.
  init(creating path: String) throws(CaptureError) {
    self.path = path
    replaces = false
    guard !Self.exists(path) else { throw .output(path: path, code: EEXIST) }
    descriptor = open(path + ".part", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .output(path: path, code: errno) }
    // Whoever recovers interrupted files leaves alone what somebody holds. A file system without
    // locks is no reason not to record.
    _ = linux_lock_file(descriptor)
  }

  /// Creates a file that takes the place of the one at `path`, at once and when it is whole.
  init(replacing path: String) throws(CaptureError) {
    self.path = path
    replaces = true
    descriptor = open(path + ".part", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .output(path: path, code: errno) }
    _ = linux_lock_file(descriptor)
  }

  deinit {
    guard !isClosed else { return }
    _ = linux_unlock_file(descriptor)
    close(descriptor)
  }

  /// Writes all of `bytes` at `offset`.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(CaptureError) {
    do throws(SystemFailure) { try FileIO.write(bytes, to: descriptor, at: offset) } catch {
      throw .output(path: path, code: error.code)
    }
    end = max(end, offset + UInt64(bytes.count))
  }

  /// Writes `bytes` behind all that was written.
  func append(_ bytes: [UInt8]) throws(CaptureError) { try write(bytes, at: end) }

  /// How far ahead of what is written room is reserved, in bytes.
  static let reserve: UInt64 = 16 << 20

  /// Keeps room for what is to come, so that nobody else fills the disk meanwhile. The file's size
  /// stays what it is, and what is left over is given back when it is finished.
  func reserveAhead() {
    guard let reserved, reserved < end + Self.reserve / 2 else { return }
    let from = max(reserved, end)
    let isDone = linux_reserve(descriptor, Int64(from), Int64(Self.reserve)) == 0
    self.reserved = isDone ? from + Self.reserve : nil
  }

  /// Waits until what was written is on the disk; and sees whether the file still has a name.
  func synchronize() throws(CaptureError) {
    guard fdatasync(descriptor) == 0 else { throw .output(path: path, code: errno) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_nlink == 0 { throw .vanished(path: path) }
  }

  /// Takes the file away again.
  func discard() throws(CaptureError) {
    guard unlink(path + ".part") == 0 else { throw .output(path: path, code: errno) }
  }

  /// Gives the file its name, and makes that last.
  func finish() throws(CaptureError) {
    // The size stays; what was reserved behind it goes back.
    if reserved != 0 { _ = ftruncate(descriptor, off_t(end)) }
    try synchronize()
    // The lock is held until the file has its name.
    let status = replaces ? replace() : linux_rename_new(path + ".part", path)
    isClosed = true
    _ = linux_unlock_file(descriptor)
    let isClean = close(descriptor) == 0
    guard status >= 0 else { throw .output(path: path, code: -status) }
    guard isClean else { throw .output(path: path, code: EIO) }
    try Self.synchronizeFolder(of: path)
  }

  private func replace() -> Int32 { rename(path + ".part", path) == 0 ? 0 : -errno }

  /// Whether there is anything at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes the names in the folder of `path` last.
  static func synchronizeFolder(of path: String) throws(CaptureError) {
    do throws(SystemFailure) { try Folders.synchronize(of: path) } catch {
      throw .output(path: Folders.folder(of: path), code: error.code)
    }
  }

  /// Makes a folder and those above it, so that they last.
  static func makeFolders(_ path: String) throws(CaptureError) {
    do throws(SystemFailure) { try Folders.make(path, mode: 0o755) } catch {
      throw .output(path: path, code: error.code)
    }
    guard access(path, W_OK) == 0 else { throw .output(path: path, code: errno) }
  }

  /// The bytes that this user may still write in the file system of `path`.
  static func freeBytes(at path: String) -> Int64? {
    var info = statvfs()
    guard statvfs(path, &info) == 0 else { return nil }
    return Int64(info.f_bavail) * Int64(info.f_frsize)
  }
}
