internal import Control
internal import FoundationEssentials

/// Values as one line of JSON, keys sorted.
enum JSONText {
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// An error as data.
  struct Failure: Encodable {
    let schema = "recorder.error/1"
    let error: String
    let exitCode: ExitCode

    enum CodingKeys: String, CodingKey {
      case schema
      case error
      case exitCode = "exit_code"
    }
  }
}
