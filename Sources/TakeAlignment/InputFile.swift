internal import BroadcastWave
internal import Glibc

/// A file opened for reading at any place.
struct InputFile: ~Copyable {
  let path: String
  let length: UInt64
  private let descriptor: Int32

  init(path: String) throws(AlignmentError) {
    self.path = path
    // A pipe without a writer is refused, not waited for.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .unreadable(file: path, reason: Self.words(errno))
    }
    let end = lseek(descriptor, 0, SEEK_END)
    length = end < 0 ? 0 : UInt64(end)
  }

  deinit { close(descriptor) }

  /// Up to `count` bytes at `offset`; fewer only at the file's end.
  func read(at offset: UInt64, count: Int) throws(WaveError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      while used < count {
        let done = pread(
          descriptor, buffer.baseAddress.map { $0 + used }, count - used,
          off_t(offset) + off_t(used))
        if done < 0 && errno == EINTR { continue }
        if done < 0 { failure = errno }
        if done <= 0 { break }
        used += done
      }
    }
    if failure != 0 { throw .unreadable(Self.words(failure)) }
    return bytes
  }

  /// The words of the system for an error number.
  static func words(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
