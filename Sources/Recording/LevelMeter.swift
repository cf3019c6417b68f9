/// The loudness of one channel over a stretch: its peak, its power and what was clipped.
public struct LevelMeter: Hashable, Sendable {
  /// From here on a sample counts as clipped: full scale but for the last of 24 bits.
  public static let clip: Float = 0.99999988
  /// The same for samples of 16 bits: the highest and the two lowest.
  public static let clip16: Float = 32_767.0 / 32_768.0

  /// The greatest magnitude, of full scale 1.
  public private(set) var peak: Float = 0
  private var energy = 0.0
  private var count = 0
  /// How many samples were at full scale.
  public private(set) var clipped = 0

  /// Begins with nothing heard.
  public init() {}

  /// Takes in `count` samples whose squares sum up to `energy`.
  public mutating func add(peak: Float, energy: Double, count: Int, clipped: Int) {
    self.peak = max(self.peak, peak)
    self.energy += energy
    self.count += count
    self.clipped += clipped
  }

  /// The power's root, of full scale 1; a sine of full scale has 0.707.
  public var rms: Float { count == 0 ? 0 : Float((energy / Double(count)).squareRoot()) }
}
