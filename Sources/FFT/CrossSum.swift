internal import CBatchFFT

/// Cross spectra that were turned and added up.
public struct CrossSum: Sendable {
  /// The cross spectra's sum.
  public private(set) var cross: Spectra

  /// Makes a sum of nothing.
  public init(bins: Int) { cross = Spectra(count: 1, bins: bins) }

  /// The powers of both sides of what was added, bin by bin.
  public struct Powers: Sendable {
    public fileprivate(set) var one: [Float]
    public fileprivate(set) var other: [Float]

    /// Makes powers of nothing.
    public init(bins: Int) {
      one = [Float](repeating: 0, count: bins)
      other = one
    }

    /// Adds other powers.
    public mutating func add(_ powers: Powers) {
      SampleSums.add(powers.one, to: &one)
      SampleSums.add(powers.other, to: &other)
    }
  }

  /// Adds the cross spectrum of numbers `first` and `second` of `spectra`, scaled by `scale` and
  /// turned by `turn` samples of sequences of `samples`, and their powers to `powers`.
  ///
  /// The corresponding C function is `recorder_cross_add`.
  public mutating func add(
    _ spectra: Spectra, _ first: Int, _ second: Int, scale: Float, turn: Double, samples: Int,
    in range: Range<Int>, powers: inout Powers
  ) {
    precondition(
      spectra.bins == cross.bins && powers.one.count == cross.bins,
      "\(spectra.bins) bins, not \(cross.bins)")
    let (a, b) = (spectra.offset(first, range), spectra.offset(second, range))
    unsafe spectra.values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe recorder_cross_add(
        start + a, start + b, scale, turn, Int32(samples), &cross.values, &powers.one,
        &powers.other, Int32(range.lowerBound), Int32(range.upperBound))
    }
  }

  /// Adds another sum.
  public mutating func add(_ sum: CrossSum) { cross.add(sum.cross) }

  /// Turns the sum by `turn` samples more.
  public mutating func turn(by turn: Double, samples: Int, in range: Range<Int>) {
    cross.turn(0, by: turn, samples: samples, in: range)
  }
}
