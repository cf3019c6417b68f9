internal import FoundationEssentials

/// What stood in a file where recovering wrote over it, so that it can be put back: the schema
/// `recorder.undo/1`.
struct UndoRecord: Codable {
  struct Piece: Codable {
    let offset: UInt64
    /// The bytes that stood there, in hexadecimal.
    let bytes: String

    private enum CodingKeys: String, CodingKey {
      case offset = "offset_bytes"
      case bytes = "bytes_hex"
    }
  }

  static let schema = "recorder.undo/1"
  /// The largest record that is read, in bytes.
  static let sizeLimit: UInt64 = 64 << 20

  var schema = Self.schema
  /// The file's name, without a folder.
  let file: String
  let length: UInt64
  let pieces: [Piece]

  private enum CodingKeys: String, CodingKey {
    case schema, file
    case length = "length_bytes"
    case pieces
  }

  init(file: String, length: UInt64, pieces: [(offset: UInt64, bytes: [UInt8])]) {
    self.file = file
    self.length = length
    self.pieces = pieces.map { Piece(offset: $0.offset, bytes: Self.hexadecimal($0.bytes)) }
  }

  /// What to write back, last things first; nothing where the record is damaged.
  var patches: [(offset: UInt64, bytes: [UInt8])]? {
    var found: [(offset: UInt64, bytes: [UInt8])] = []
    for piece in pieces.reversed() {
      guard let bytes = Self.bytes(piece.bytes) else { return nil }
      let (end, isOver) = piece.offset.addingReportingOverflow(UInt64(bytes.count))
      guard !isOver, end <= length else { return nil }
      found.append((piece.offset, bytes))
    }
    return found
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
