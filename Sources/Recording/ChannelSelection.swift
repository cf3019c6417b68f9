/// Which of a card's channels are recorded.
public enum ChannelSelection: Hashable, Sendable {
  /// The first so many: the card is opened with exactly these.
  case first(Int)
  /// These, counted from 1, in this order: the card is opened with as many as that takes.
  case these([Int])

  /// The most channels of a card.
  public static let most = 64

  /// Reads `2` (how many), `1,3`, `1-4` or `2-2` (which); nothing where `text` is none of them,
  /// names a channel twice or one beyond ``most``.
  public init?(_ text: String) {
    if let count = Int(text) {
      guard (1...Self.most).contains(count) else { return nil }
      self = .first(count)
      return
    }
    var channels: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = Self.range(part) else { return nil }
      channels += range
    }
    guard channels.count <= Self.most, Set(channels).count == channels.count else { return nil }
    self = .these(channels)
  }

  private static func range(_ text: Substring) -> ClosedRange<Int>? {
    // Whoever writes a list puts blanks behind its commas.
    let text = text.drop { $0 == " " }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
      first >= 1, first <= last, last <= most
    else { return nil }
    return first...last
  }

  /// How many channels are recorded.
  public var count: Int {
    switch self {
    case .first(let count): count
    case .these(let channels): channels.count
    }
  }

  /// The channels of a card that was opened with `count`, counted from 1.
  public func channels(of count: Int) -> [Int] {
    switch self {
    case .first: count > 0 ? Array(1...count) : []
    case .these(let channels): channels
    }
  }
}
