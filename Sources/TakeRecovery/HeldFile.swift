internal import BroadcastWave
internal import CLinux
internal import FileIO
internal import Glibc

/// A file that is open, and locked against recorders and other recoveries while it is held.
struct HeldFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  /// Why it cannot be written; 0 where it can.
  private let refusal: Int32

  /// Opens and locks the file at `path`; for reading only, when nothing is to be changed. A file
  /// that may not be written can still turn out to be whole.
  init(path: String, isReadOnly: Bool) throws(RecoveryError) {
    self.path = path
    let writable = isReadOnly ? -1 : open(path, O_RDWR | O_CLOEXEC)
    refusal = isReadOnly ? EROFS : writable < 0 ? errno : 0
    descriptor = writable >= 0 ? writable : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    if linux_lock_file(descriptor) == -EWOULDBLOCK { throw .busy(path: path) }
  }

  deinit {
    // A child that another thread has just forked would keep the lock.
    _ = linux_unlock_file(descriptor)
    close(descriptor)
  }

  var length: UInt64 {
    let end = lseek(descriptor, 0, SEEK_END)
    return end < 0 ? 0 : UInt64(end)
  }

  /// Up to `count` bytes at `offset`; fewer only at the file's end.
  func read(at offset: UInt64, count: Int) throws(WaveError) -> [UInt8] {
    do throws(SystemFailure) {
      return try FileIO.read(descriptor, at: offset, count: count)
    } catch {
      throw .unreadable(error.description)
    }
  }

  /// Exactly `count` bytes at `offset`.
  func take(at offset: UInt64, count: Int) throws(RecoveryError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(WaveError) { bytes = try read(at: offset, count: count) } catch {
      throw .unusable(path: path, reason: error.description)
    }
    guard bytes.count == count else {
      throw .unusable(path: path, reason: "it has become shorter meanwhile")
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(RecoveryError) {
    guard refusal == 0 else { throw .system(path: path, code: refusal) }
    do throws(SystemFailure) { try FileIO.write(bytes, to: descriptor, at: offset) } catch {
      throw .system(path: path, code: error.code)
    }
  }

  /// Cuts the file to `length` bytes.
  func cut(to length: UInt64) throws(RecoveryError) {
    guard refusal == 0 else { throw .system(path: path, code: refusal) }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system(path: path, code: errno) }
  }

  /// Whether two files hold the same, byte for byte.
  static func haveSameBytes(_ one: String, _ other: String) throws(RecoveryError) -> Bool {
    let descriptors = [one, other].map { (path: String) in open(path, O_RDONLY | O_CLOEXEC) }
    defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
    guard descriptors.allSatisfy({ $0 >= 0 }) else { throw .system(path: other, code: errno) }
    var offset: UInt64 = 0
    while true {
      do throws(SystemFailure) {
        let bytes = try FileIO.read(descriptors[0], at: offset, count: 1 << 20)
        guard try FileIO.read(descriptors[1], at: offset, count: 1 << 20) == bytes else {
          return false
        }
        if bytes.isEmpty { return true }
        offset += UInt64(bytes.count)
      } catch {
        throw .system(path: other, code: error.code)
      }
    }
  }

  /// Waits until all is on the disk.
  func synchronize() throws(RecoveryError) {
    guard fsync(descriptor) == 0 else { throw .system(path: path, code: errno) }
  }
}
