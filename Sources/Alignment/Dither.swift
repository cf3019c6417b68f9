import Units

/// Rounds samples to integers with triangular dither, so that rounding is noise and never
/// distortion.
///
/// The dither spans ±1 step (S. P. Lipshitz et al., "Quantization and dither", 1992). Its noise
/// follows from the seed: the same input gives the same file.
public struct Dither: Sendable {
  private var generator: SeededGenerator
  private let steps: Double
  /// One and a half times 2^52.
  private static let whole = 6_755_399_441_055_744.0

  /// Makes a rounding to integers of `bits` bits, 8 to 32.
  public init(bits: Int, seed: UInt64) {
    precondition((8...32).contains(bits), "samples have 8 to 32 bits, not \(bits)")
    generator = SeededGenerator(seed: seed)
    steps = Double(Int64(1) << (bits - 1))
  }

  /// The integer for `sample`, whose full scale is 1; clipped where it is beyond.
  public mutating func round(_ sample: Double) -> Int32 {
    let noise = generator.nextUnit() - generator.nextUnit()
    let value = min(steps - 1, max(-steps, sample * steps + noise))
    // Adding a number without room for parts rounds, without a call for each sample.
    return Int32((value + Self.whole) - Self.whole)
  }
}
