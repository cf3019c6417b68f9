internal import BroadcastWave
internal import FileIO
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
      throw .unreadable(file: path, reason: "\(SystemFailure.last)")
    }
    let end = lseek(descriptor, 0, SEEK_END)
    length = end < 0 ? 0 : UInt64(end)
  }

  deinit { close(descriptor) }

  /// Up to `count` bytes at `offset`; fewer only at the file's end.
  func read(at offset: UInt64, count: Int) throws(WaveError) -> [UInt8] {
    do throws(SystemFailure) {
      return try FileIO.read(descriptor, at: offset, count: count)
    } catch {
      throw .unreadable(error.description)
    }
  }
}
