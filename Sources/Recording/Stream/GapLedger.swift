public import Units

/// The gaps of a card's stream: which there were, and which have come to their end.
///
/// A gap may grow while it is written (a card that is gone is silence piece by piece), and may be
/// older than the file that it falls into (a take that begins in the past). So gaps are kept by
/// their place in the stream, as long as a file may reach back to them.
public struct GapLedger: Sendable {
  /// The most gaps that are kept: the newest. One more and the oldest is forgotten.
  public static let mostGaps = 4096

  private var gaps: [StreamGap] = []
  /// How many of the oldest were announced.
  private var announced = 0

  /// Begins with no gap.
  public init() {}

  /// All gaps that are kept, oldest first.
  public var all: [StreamGap] { gaps }

  /// The last gap, while it may still grow.
  public var growing: StreamGap? { announced < gaps.count ? gaps.last : nil }

  /// Those that have been announced.
  public var ended: ArraySlice<StreamGap> { gaps.prefix(announced) }

  /// Takes in a gap behind all others; whether it is a new one, and not a piece of the last.
  public mutating func add(_ gap: StreamGap) -> Bool {
    if let last = gaps.last, announced < gaps.count, let whole = last.joined(with: gap) {
      gaps[gaps.count - 1] = whole
      return false
    }
    gaps.append(gap)
    if gaps.count > Self.mostGaps {
      gaps.removeFirst()
      announced = max(0, announced - 1)
    }
    return true
  }

  /// The gaps that have come to their end, each given once: there are frames behind them, up to
  /// `end`, or what follows is another gap.
  public mutating func announce(upTo end: SampleIndex) -> [StreamGap] {
    let last = gaps.count - 1
    let ended = gaps.indices[announced...].prefix { gaps[$0].end < end || $0 < last }
    defer { announced += ended.count }
    return ended.map { gaps[$0] }
  }

  /// The gaps that were not announced, whether or not they may still grow: a file ends here.
  public mutating func announceAll() -> [StreamGap] {
    defer { announced = gaps.count }
    return Array(gaps[announced...])
  }

  /// Forgets what was announced and ended before `oldest`: no file can reach back to it.
  public mutating func forget(before oldest: SampleIndex) {
    let gone = gaps.prefix(announced).prefix { $0.end <= oldest }.count
    gaps.removeFirst(gone)
    announced -= gone
  }
}
