internal import Recording
internal import Units

/// A piece of a take's file that one daemon asks another for.
struct FileFetch: Codable, Sendable {
  static let type = "recorder.fetch"
  /// The longest piece, in bytes: a command carries 60 KiB.
  static let longestPiece = 56 << 10

  let number: UInt64
  let take: TakeID
  /// The file's present name.
  let name: String
  let offset: Int64
  let count: Int
}

/// What is answered: the number, and the bytes or why there are none.
enum FilePiece {
  static let type = "recorder.piece"

  /// It has not come yet.
  case waited
  case bytes([UInt8])
  case failure(String)

  /// Eight bytes of number, one that is 0 for bytes, and they.
  func encoded(number: UInt64) -> [UInt8] {
    let head = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    switch self {
    case .waited: return head + [1]
    case .bytes(let bytes): return head + [0] + bytes
    case .failure(let reason): return head + [1] + reason.utf8.prefix(512)
    }
  }

  var isWaited: Bool { if case .waited = self { true } else { false } }

  /// Nothing where `payload` is none.
  static func decoded(_ payload: [UInt8]) -> (number: UInt64, piece: FilePiece)? {
    guard payload.count >= 9, payload[8] <= 1 else { return nil }
    let number = payload.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let rest = Array(payload.dropFirst(9))
    return (
      number, payload[8] == 0 ? .bytes(rest) : .failure(String(decoding: rest, as: UTF8.self))
    )
  }
}
