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

  /// What failed, for whoever listens: words wait until somebody does.
  private final class Trouble: Sendable {
    private let state = Mutex<(words: [String], listener: (@Sendable (String) -> Void)?)>(([], nil))

    func note(_ words: String) {
      let listener = state.withLock { state in
        if state.listener == nil { state.words.append(words) }
        return state.listener
      }
      listener?(words)
    }

    func listen(_ listener: @escaping @Sendable (String) -> Void) {
      let waiting = state.withLock { state in
        state.listener = listener
        defer { state.words = [] }
        return state.words
      }
      for words in waiting { listener(words) }
    }
  }

  private let trouble: Trouble

  /// Begins with what `take.json`, called `name`, says in `folder`.
  ///
  /// - Parameter tellsFiles: whether files that were closed early are to say what is known by now.
  init(folder: String, name: String, tellsFiles: Bool) {
    let path = folder + "/" + name
    let trouble = Trouble()
    self.trouble = trouble
    thread = RealtimeThread(name: "digest") {
      if tellsFiles { Self.tell(folder: folder, path: path, trouble) }
      do throws(CaptureError) {
        try Self.digest(folder: folder, path: path)
      } catch {
        trouble.note("the take is whole, and its take.json says less than it could: \(error)")
      }
    }
    let files = TakeSummaryFile.read(path)?.files ?? []
    let bytes = files.reduce(into: Int64(0)) { sum, file in
      sum += ClosedFile.size(of: folder + "/" + file) ?? 0
    }
    if bytes <= Self.quickBytes { wait() }
  }

  /// Gives what failed, and what will, to `listener`.
  func listen(_ listener: @escaping @Sendable (String) -> Void) { trouble.listen(listener) }

  /// Waits until all is done.
  func wait() { thread.join() }

  private static func tell(folder: String, path: String, _ trouble: Trouble) {
    let lock = FolderLock(folder)
    defer { lock.release() }
    guard let summary = TakeSummaryFile.read(path) else { return }
    for name in summary.files {
      do throws(CaptureError) {
        try ClosedFile.editMetadata(of: folder + "/" + name) { ixml in
          if let total = summary.totalFiles { ixml.fileSet?.totalFiles = total }
          ixml.note = summary.remarks?.note
          ixml.isCircled = summary.remarks?.isCircled ?? false
        }
      } catch {
        // It says less than it could, and loses nothing by it.
        trouble.note("\(name) could not be told what was said of it since: \(error)")
      }
    }
  }

  /// Takes the digests; anew, where somebody changed the files meanwhile.
  private static func digest(folder: String, path: String) throws(CaptureError) {
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
        now.totalFiles == before.totalFiles, now.markers == before.markers
      else { continue }
      now.fileDetails = files
      try TakeSummaryFile.replace(now, at: path)
      return
    }
  }
}
