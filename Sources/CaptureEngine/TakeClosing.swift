internal import BroadcastWave
internal import FoundationEssentials
internal import Realtime
internal import Recording
internal import Synchronization

/// What is done once a take's files are closed: `take.json`, and then, aside, the digests of the
/// files, which may last as long as it takes to read them.
final class TakeClosing: Sendable {
  /// Up to so many bytes whoever closes the take waits for the digests.
  static let quickBytes: Int64 = 32 << 20

  private let folder: String
  private let path: String
  private let summary: TakeSummary
  private let totalFiles: Int?
  private let thread = Mutex<RealtimeThread?>(nil)

  /// - Parameter totalFiles: what all files are to say of how many they are; nothing: they say it.
  init(folder: String, name: String, summary: TakeSummary, totalFiles: Int?) {
    self.folder = folder
    path = folder + "/" + name
    self.summary = summary
    self.totalFiles = totalFiles
  }

  /// Writes `take.json`, and has the rest done.
  func begin() throws(CaptureError) {
    try TakeSummaryFile.create(summary, at: path)
    let bytes = (summary.fileDetails ?? []).reduce(into: Int64(0)) { sum, file in
      sum += ClosedFile.size(of: folder + "/" + file.name) ?? 0
    }
    let started = RealtimeThread(name: "digest") { [folder, path, summary, totalFiles] in
      Self.complete(summary, folder: folder, path: path, totalFiles: totalFiles)
    }
    thread.withLock { $0 = started }
    if bytes <= Self.quickBytes { wait() }
  }

  /// Waits until all is done.
  func wait() { thread.withLock { $0 }?.join() }

  private static func complete(
    _ summary: TakeSummary, folder: String, path: String, totalFiles: Int?
  ) {
    // A file whose header cannot be told anew says less than it could: no reason to say nothing.
    if let totalFiles {
      for name in summary.files {
        try? ClosedFile.editMetadata(of: folder + "/" + name) { ixml in
          ixml.fileSet?.totalFiles = totalFiles
        }
      }
    }
    try? TakeSummaryFile.replace(TakeSummaryFile.digested(summary, folder: folder), at: path)
  }
}

/// `take.json` on the disk.
enum TakeSummaryFile {
  static let sizeLimit = 16 << 20

  static func bytes(of summary: TakeSummary) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(summary)) + [UInt8(ascii: "\n")]
    } catch {
      preconditionFailure("a summary is made of numbers and texts: \(error)")
    }
  }

  /// Writes a new file.
  static func create(_ summary: TakeSummary, at path: String) throws(CaptureError) {
    let file = try OutputFile(creating: path)
    try file.append(bytes(of: summary))
    try file.finish()
  }

  /// Puts a summary that says more in the place of the one that is there, at once.
  static func replace(_ summary: TakeSummary, at path: String) throws(CaptureError) {
    let file = try OutputFile(replacing: path)
    try file.append(bytes(of: summary))
    try file.finish()
  }

  /// Reads a summary; nothing where the file is none.
  static func read(_ path: String) -> TakeSummary? {
    guard let bytes = ClosedFile.contents(of: path, limit: sizeLimit) else { return nil }
    do {
      return try JSONDecoder().decode(TakeSummary.self, from: Data(bytes))
    } catch {
      return nil
    }
  }

  /// The summary with size and digest of each file.
  static func digested(_ summary: TakeSummary, folder: String) -> TakeSummary {
    var summary = summary
    summary.fileDetails = summary.fileDetails?.map { file in
      var file = file
      let path = folder + "/" + file.name
      file.bytes = ClosedFile.size(of: path)
      file.sha256 = ClosedFile.sha256(of: path)
      return file
    }
    return summary
  }
}
