internal import FoundationEssentials
internal import Recording

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
}
