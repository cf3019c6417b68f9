internal import BroadcastWave
internal import Realtime
internal import Recording
internal import Synchronization

/// What is done once a take's files are closed, aside, since it may last as long as it takes to
/// read them: how many files there are of all, and the files' digests.
final class TakeClosing: Sendable {
  /// Up to so many bytes whoever closes the take waits for the digests.
  static let quickBytes: Int64 = 32 << 20

  private let thread: RealtimeThread

  /// Begins with what `take.json`, called `name`, says in `folder`.
  ///
  /// - Parameter tellsFiles: whether files that were closed early are to say what is known by now.
  init(folder: String, name: String, tellsFiles: Bool) {
    let path = folder + "/" + name
    thread = RealtimeThread(name: "digest") {
      if tellsFiles { Self.tell(folder: folder, path: path) }
      Self.digest(folder: folder, path: path)
    }
    let files = TakeSummaryFile.read(path)?.files ?? []
    let bytes = files.reduce(into: Int64(0)) { sum, file in
      sum += ClosedFile.size(of: folder + "/" + file) ?? 0
    }
    if bytes <= Self.quickBytes { wait() }
  }

  /// Waits until all is done.
  func wait() { thread.join() }

  private static func tell(folder: String, path: String) {
    let lock = FolderLock(folder)
    defer { lock.release() }
    guard let summary = TakeSummaryFile.read(path) else { return }
    for name in summary.files {
      // A file that cannot be told anew says less than it could, and loses nothing by it.
      try? ClosedFile.editMetadata(of: folder + "/" + name) { ixml in
        if let total = summary.totalFiles { ixml.fileSet?.totalFiles = total }
        ixml.note = summary.remarks?.note
        ixml.isCircled = summary.remarks?.isCircled ?? false
      }
    }
  }

  /// Takes the digests; anew, where somebody changed the files meanwhile.
  private static func digest(folder: String, path: String) {
    for _ in 0..<16 {
      guard let before = TakeSummaryFile.read(path) else { return }
      let files = before.fileDetails?.map { file in
        var file = file
        file.bytes = ClosedFile.size(of: folder + "/" + file.name)
        file.sha256 = ClosedFile.sha256(of: folder + "/" + file.name)
        return file
      }
      let lock = FolderLock(folder)
      defer { lock.release() }
      guard var now = TakeSummaryFile.read(path), now.remarks == before.remarks,
        now.totalFiles == before.totalFiles
      else { continue }
      now.fileDetails = files
      // Without them take.json is as good as before.
      try? TakeSummaryFile.replace(now, at: path)
      return
    }
  }
}
