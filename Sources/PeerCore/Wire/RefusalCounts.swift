/// How many datagrams and frames were refused, by reason.
public struct RefusalCounts: Hashable, Sendable, Codable {
  /// The counts by ``WireRefusal/word``; what never happened is absent.
  public private(set) var byReason: [String: UInt64] = [:]

  /// Begins with nothing refused.
  public init() {}

  /// How many were refused in all.
  public private(set) var total: UInt64 = 0

  /// Counts one more.
  public mutating func count(_ refusal: WireRefusal) {
    byReason[refusal.word, default: 0] += 1
    total += 1
  }

  /// How many were refused for the reason of `refusal`.
  public subscript(refusal: WireRefusal) -> UInt64 { byReason[refusal.word] ?? 0 }
}
