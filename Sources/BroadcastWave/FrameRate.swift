/// How many timecode frames a second has, exactly, and how they are labelled.
public struct FrameRate: Hashable, Sendable {
  /// Frames in ``denominator`` seconds.
  public let numerator: Int64
  /// 1 or 1001.
  public let denominator: Int64
  /// Whether labels are dropped so that they keep up with the clock on the wall.
  public let dropsFrames: Bool

  private init(_ numerator: Int64, _ denominator: Int64, drops: Bool = false) {
    self.numerator = numerator
    self.denominator = denominator
    dropsFrames = drops
  }

  public static let fps23976 = FrameRate(24_000, 1001)
  public static let fps24 = FrameRate(24, 1)
  public static let fps25 = FrameRate(25, 1)
  public static let fps2997 = FrameRate(30_000, 1001)
  public static let fps2997Drop = FrameRate(30_000, 1001, drops: true)
  public static let fps30 = FrameRate(30, 1)
  public static let fps30Drop = FrameRate(30, 1, drops: true)
  public static let fps47952 = FrameRate(48_000, 1001)
  public static let fps48 = FrameRate(48, 1)
  public static let fps50 = FrameRate(50, 1)
  public static let fps5994 = FrameRate(60_000, 1001)
  public static let fps5994Drop = FrameRate(60_000, 1001, drops: true)
  public static let fps60 = FrameRate(60, 1)

  /// Every rate there is.
  public static let all: [FrameRate] = [
    .fps23976, .fps24, .fps25, .fps2997, .fps2997Drop, .fps30, .fps30Drop, .fps47952, .fps48,
    .fps50, .fps5994, .fps5994Drop, .fps60,
  ]

  /// The whole number of labels in a labelled second: 30 for 29.97.
  public var nominal: Int64 { (numerator + denominator - 1) / denominator }

  /// Labels dropped at each minute but each tenth: 2 at 30, 4 at 60, 0 without dropping.
  public var droppedLabels: Int64 { dropsFrames ? 2 * nominal / 30 : 0 }

  /// Timecode frames from one 00:00:00:00 to the next.
  public var framesPerDay: Int64 { nominal * 86_400 - droppedLabels * (1440 - 144) }

  /// The rate as iXML wants it, exact: `30000/1001`, `25/1`.
  public var fraction: String { "\(numerator)/\(denominator)" }

  /// The rate as people write it, such as `29.97DF`, `29.97NDF` or `25`.
  public var name: String {
    let names: [Int64: String] = [
      24_000: "23.976", 30_000: "29.97", 48_000: "47.952", 60_000: "59.94",
    ]
    let number = names[numerator] ?? String(numerator)
    let hasTwin = Self.all.contains { $0.numerator == numerator && $0.dropsFrames }
    return number + (hasTwin ? flag : "")
  }

  /// The flag that iXML puts beside the rate: `DF` or `NDF`.
  public var flag: String { dropsFrames ? "DF" : "NDF" }
}

extension FrameRate {
  /// Reads a rate as people write it: `23.976`, `23.98`, `24000/1001`, `25`, `29.97DF`.
  ///
  /// Nothing where `text` is no rate of ``all``: 29.98 is nobody's rate and is refused.
  public init?(_ text: String) {
    var word = text.uppercased()
    var drops = false
    if word.hasSuffix("NDF") {
      word.removeLast(3)
    } else if word.hasSuffix("DF") {
      word.removeLast(2)
      drops = true
    }
    let name = word.split(separator: " ").joined()
    guard
      let exact = Self.names[name],
      let rate = Self.all.first(where: {
        $0.dropsFrames == drops && $0.numerator == exact.numerator
          && $0.denominator == exact.denominator
      })
    else { return nil }
    self = rate
  }

  private static let names: [String: FrameRate] = [
    "23.976": .fps23976, "23.98": .fps23976, "24000/1001": .fps23976,
    "24": .fps24, "24/1": .fps24, "25": .fps25, "25/1": .fps25,
    "29.97": .fps2997, "30000/1001": .fps2997, "30": .fps30, "30/1": .fps30,
    "47.952": .fps47952, "47.95": .fps47952, "48000/1001": .fps47952,
    "48": .fps48, "48/1": .fps48, "50": .fps50, "50/1": .fps50,
    "59.94": .fps5994, "60000/1001": .fps5994, "60": .fps60, "60/1": .fps60,
  ]
}
