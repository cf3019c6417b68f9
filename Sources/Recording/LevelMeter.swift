/// The loudness of one channel over a stretch: its peak and its power.
public struct LevelMeter: Hashable, Sendable {
  /// From here on a sample counts as clipped: full scale but for the last of 24 bits.
  public static let clip: Float = 0.99999988

  /// The greatest magnitude, of full scale 1.
  public private(set) var peak: Float = 0
  private var energy = 0.0
  private var count = 0
  /// How many samples were at full scale.
  public private(set) var clipped = 0

  /// Begins with nothing heard.
  public init() {}

  /// Takes a sample in.
  public mutating func add(_ sample: Float) {
    let magnitude = abs(sample)
    if magnitude > peak { peak = magnitude }
    if magnitude >= Self.clip { clipped += 1 }
    energy += Double(sample) * Double(sample)
    count += 1
  }

  /// The power's root, of full scale 1; a sine of full scale has 0.707.
  public var rms: Float { count == 0 ? 0 : Float((energy / Double(count)).squareRoot()) }
}
