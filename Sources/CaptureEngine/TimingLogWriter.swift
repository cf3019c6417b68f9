internal import FoundationEssentials
internal import Recording

/// Writes a timing log, a line at a time.
final class TimingLogWriter {
  private let file: OutputFile
  private let encoder = JSONEncoder()
  /// Whether anything was written that may not be on the disk.
  private var isAhead = true

  init(path: String) throws(CaptureError) {
    file = try OutputFile(creating: path)
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  func write(_ entry: TimingLogEntry) throws(CaptureError) {
    let line: Data
    do {
      line = try encoder.encode(entry)
    } catch {
      preconditionFailure("a timing log's entry is made of numbers and texts: \(error)")
    }
    isAhead = true
    try file.append(Array(line) + [UInt8(ascii: "\n")])
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(CaptureError) {
    guard isAhead else { return }
    try file.synchronize()
    isAhead = false
  }

  func finish() throws(CaptureError) { try file.finish() }

  /// Takes the log away again.
  func discard() throws(CaptureError) { try file.discard() }
}
