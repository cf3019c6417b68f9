/// What is answered to a ``FileFetch``: the number, and the bytes or why there are none.
public enum FilePiece: Hashable, Sendable {
  /// The type of the commands that carry pieces.
  public static let type = "recorder.piece"
  /// The longest reason, in bytes.
  static let longestReason = 512

  /// It has not come yet.
  case waited
  case bytes([UInt8])
  case failure(String)

  /// Eight bytes of number, one that is 0 for bytes, and they.
  public func encoded(number: UInt64) -> [UInt8] {
    let head = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    switch self {
    case .waited: return head + [1]
    case .bytes(let bytes): return head + [0] + bytes
    case .failure(let reason): return head + [1] + reason.utf8.prefix(Self.longestReason)
    }
  }

  /// Whether it has not come yet.
  public var isWaited: Bool { self == .waited }

  /// Nothing where `payload` is none, or longer than any piece.
  public static func decoded(_ payload: [UInt8]) -> (number: UInt64, piece: FilePiece)? {
    guard payload.count >= 9, payload[8] <= 1, payload.count <= 9 + FileFetch.longestPiece else {
      return nil
    }
    let number = payload.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let rest = Array(payload.dropFirst(9))
    return (
      number, payload[8] == 0 ? .bytes(rest) : .failure(String(decoding: rest, as: UTF8.self))
    )
  }
}
