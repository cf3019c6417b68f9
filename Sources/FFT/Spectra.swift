internal import CBatchFFT

/// Spectra of one length, one behind the other: of each bin the real and the imaginary part.
///
/// What is done bin by bin is done by C, for all that the processor's vectors hold at once.
public struct Spectra: Sendable {
  /// Bins of each.
  public let bins: Int
  /// All real and imaginary parts.
  public internal(set) var values: [Float]

  /// How many there are.
  public var count: Int { values.count / (2 * bins) }

  /// Makes `count` spectra of nothing.
  public init(count: Int, bins: Int) {
    self.bins = bins
    values = [Float](repeating: 0, count: count * 2 * bins)
  }

  /// The real part and the imaginary part of bin `bin` of number `number`.
  public func bin(_ bin: Int, of number: Int) -> SIMD2<Float> {
    let place = (number * bins + bin) * 2
    return SIMD2(values[place], values[place + 1])
  }

  /// The power of bin `bin` of number `number`.
  public func power(of number: Int, at bin: Int) -> Float {
    let place = (number * bins + bin) * 2
    return values[place] * values[place] + values[place + 1] * values[place + 1]
  }

  /// The sum of the powers of the bins `range` of number `number`.
  ///
  /// The corresponding C function is `recorder_power`.
  public func power(of number: Int, in range: Range<Int>) -> Float {
    let base = offset(number, range)
    return unsafe values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return 0 }
      return unsafe recorder_power(
        start + base, Int32(range.lowerBound), Int32(range.upperBound))
    }
  }

  /// Copies number `source` of `other` to number `number`.
  public mutating func set(_ number: Int, to other: Spectra, _ source: Int) {
    let (base, from) = (offset(number, 0..<bins), other.offset(source, 0..<bins))
    precondition(bins == other.bins, "\(bins) bins, not \(other.bins)")
    unsafe values.withUnsafeMutableBufferPointer { output in
      unsafe other.values.withUnsafeBufferPointer { input in
        guard let output = output.baseAddress, let input = input.baseAddress else { return }
        unsafe (output + base).update(from: input + from, count: 2 * bins)
      }
    }
  }

  /// The power of each bin of number `number`.
  ///
  /// The corresponding C function is `recorder_powers`.
  public func powers(of number: Int) -> [Float] {
    let base = offset(number, 0..<bins)
    return unsafe [Float](unsafeUninitializedCapacity: bins) { output, used in
      unsafe values.withUnsafeBufferPointer { values in
        guard let output = output.baseAddress, let start = values.baseAddress else { return }
        unsafe recorder_powers(start + base, output, Int32(bins))
      }
      used = bins
    }
  }

  /// Number `number` becomes `values` times a factor for each bin of `range`, and nothing elsewhere.
  public mutating func set(
    _ number: Int, to other: Spectra, _ source: Int, in range: Range<Int>,
    factor: (Int) -> Float
  ) {
    let (base, from) = (offset(number, range), other.offset(source, range))
    for bin in range {
      let value = factor(bin)
      values[base + 2 * bin] = other.values[from + 2 * bin] * value
      values[base + 2 * bin + 1] = other.values[from + 2 * bin + 1] * value
    }
  }

  /// Turns number `number` by `turn` samples of sequences of `samples`.
  ///
  /// The corresponding C function is `recorder_turn`.
  public mutating func turn(_ number: Int, by turn: Double, samples: Int, in range: Range<Int>) {
    let base = offset(number, range)
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe recorder_turn(
        start + base, turn, Int32(samples), Int32(range.lowerBound), Int32(range.upperBound))
    }
  }

  /// The first float of number `number`.
  func offset(_ number: Int, _ range: Range<Int>) -> Int {
    precondition(
      number >= 0 && number < count && range.lowerBound >= 0 && range.upperBound <= bins,
      "\(number) of \(count) spectra, bins \(range) of \(bins)")
    return number * 2 * bins
  }
}

extension Spectra {
  /// Number `number` becomes the cross spectrum of `one` and `other`, whitened: its magnitude to
  /// the power 0.2, within 9 %.
  ///
  /// The corresponding C function is `recorder_cross_whitened`.
  public mutating func setWhitenedCross(
    _ number: Int, of one: (spectra: Spectra, number: Int),
    and other: (spectra: Spectra, number: Int), in range: Range<Int>
  ) {
    unsafe combine(number, one, other, in: range, by: recorder_cross_whitened)
  }

  /// Adds the cross spectrum of `one` and `other` to number `number`.
  ///
  /// The corresponding C function is `recorder_cross_sum`.
  public mutating func addCross(
    _ number: Int, of one: (spectra: Spectra, number: Int),
    and other: (spectra: Spectra, number: Int), in range: Range<Int>
  ) {
    unsafe combine(number, one, other, in: range, by: recorder_cross_sum)
  }

  private mutating func combine(
    _ number: Int, _ one: (spectra: Spectra, number: Int), _ other: (spectra: Spectra, number: Int),
    in range: Range<Int>,
    by kernel: (
      UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafeMutablePointer<Float>?, Int32, Int32
    ) -> Void
  ) {
    let base = offset(number, range)
    let first = one.spectra.offset(one.number, range)
    let second = other.spectra.offset(other.number, range)
    unsafe values.withUnsafeMutableBufferPointer { output in
      unsafe one.spectra.values.withUnsafeBufferPointer { a in
        unsafe other.spectra.values.withUnsafeBufferPointer { b in
          guard let c = output.baseAddress, let a = a.baseAddress, let b = b.baseAddress else {
            return
          }
          unsafe kernel(
            a + first, b + second, c + base, Int32(range.lowerBound), Int32(range.upperBound))
        }
      }
    }
  }

  /// Number `number` becomes number `source` of `other`, whitened.
  ///
  /// The corresponding C function is `recorder_whitened`.
  public mutating func setWhitened(
    _ number: Int, to other: Spectra, _ source: Int, in range: Range<Int>
  ) {
    let (base, from) = (offset(number, range), other.offset(source, range))
    unsafe values.withUnsafeMutableBufferPointer { output in
      unsafe other.values.withUnsafeBufferPointer { input in
        guard let output = output.baseAddress, let input = input.baseAddress else { return }
        unsafe recorder_whitened(
          input + from, output + base, Int32(range.lowerBound), Int32(range.upperBound))
      }
    }
  }

  /// Number `number` becomes how likely each delay of `own` is against what `sum` holds beside it.
  ///
  /// - Parameters:
  ///   - likely: the weight of each bin.
  ///   - magnitudes: what to whiten each bin by, beside the magnitudes of both.
  ///
  /// The corresponding C function is `recorder_matched`.
  public mutating func setMatched(
    _ number: Int, own: Spectra, sum: Spectra, likely: [Float], magnitudes: [Float],
    in range: Range<Int>
  ) {
    precondition(likely.count == bins && magnitudes.count == bins, "\(likely.count) weights")
    let base = offset(number, range)
    precondition(own.offset(0, range) == 0 && sum.offset(0, range) == 0, "one spectrum each")
    unsafe values.withUnsafeMutableBufferPointer { output in
      guard let output = output.baseAddress else { return }
      unsafe recorder_matched(
        own.values, sum.values, likely, magnitudes, output + base, Int32(range.lowerBound),
        Int32(range.upperBound))
    }
  }

  /// Adds all spectra of `other`, which has as many.
  ///
  /// The corresponding C function is `recorder_add`.
  public mutating func add(_ other: Spectra) {
    SampleSums.add(other.values, to: &values)
  }
}
