internal import Glibc

/// Bytes to and from files, whole: what a signal interrupts goes on, and what is cut short is an
/// error.
public enum FileIO {
  /// Up to `count` bytes at `offset`; fewer only at the file's end.
  public static func read(
    _ descriptor: Int32, at offset: UInt64, count: Int
  ) throws(SystemFailure) -> [UInt8] {
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      while used < count {
        let done = pread(
          descriptor, buffer.baseAddress.map { $0 + used }, count - used,
          off_t(clamping: offset) + off_t(used))
        if done < 0 && errno == EINTR { continue }
        if done < 0 { failure = .last }
        if done <= 0 { break }
        used += done
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Puts all of `bytes` at `offset`. A file that takes nothing more is as good as a full disk
  /// (ENOSPC).
  public static func write(
    _ bytes: [UInt8], to descriptor: Int32, at offset: UInt64
  ) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { source in
        pwrite(
          descriptor, source.baseAddress.map { $0 + done }, bytes.count - done,
          off_t(clamping: offset) + off_t(done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw count == 0 ? SystemFailure(code: ENOSPC) : .last }
      done += count
    }
  }

  /// All of a small file.
  ///
  /// - Throws: ``SystemFailure``, EFBIG where it has more than `limit` bytes.
  public static func contents(
    of path: String, limit: Int
  ) throws(SystemFailure) -> [UInt8] {
    // A pipe without a writer is read as empty, not waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &room, room.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return bytes }
      bytes += room.prefix(count)
      guard bytes.count <= limit else { throw SystemFailure(code: EFBIG) }
    }
  }

  /// Puts a small file in the place of the one at `path`, so that a crash or a power cut leaves
  /// the old or the new one, whole.
  ///
  /// - Parameters:
  ///   - mode: who may read and write the new file; by default its owner alone.
  ///   - suffix: what the name ends in until the file is whole.
  public static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, draft suffix: String = ".new"
  ) throws(SystemFailure) {
    let draft = path + suffix
    do throws(SystemFailure) {
      try write(draft, bytes, mode: mode)
      guard rename(draft, path) == 0 else { throw .last }
    } catch {
      unlink(draft)
      throw error
    }
    try Folders.synchronize(of: path)
  }

  /// Writes a small file, over what it held, and waits until the disk has it.
  public static func write(
    _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(SystemFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, at: 0)
    guard fdatasync(descriptor) == 0 else { throw .last }
  }
}
