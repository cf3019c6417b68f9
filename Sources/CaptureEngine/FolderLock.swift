internal import CLinux
internal import Glibc

/// Keeps others that change what is said of a folder's files waiting; a file system without locks
/// keeps nobody.
struct FolderLock {
  private let descriptor: Int32

  /// How long the others are waited for.
  private static let patienceMilliseconds = 10_000

  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    for _ in 0..<Self.patienceMilliseconds / 5 {
      guard linux_lock_file(descriptor) == -EWOULDBLOCK else { return }
      usleep(5000)
    }
  }

  func release() {
    guard descriptor >= 0 else { return }
    _ = linux_unlock_file(descriptor)
    close(descriptor)
  }
}
