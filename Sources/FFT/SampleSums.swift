internal import CBatchFFT

/// Sums over many samples, several at once.
public enum SampleSums {
  /// Adds `values` to `sums`, which are as many.
  ///
  /// The corresponding C function is `recorder_add`.
  public static func add(_ values: [Float], to sums: inout [Float]) {
    precondition(values.count == sums.count, "\(values.count) values, not \(sums.count)")
    unsafe recorder_add(values, &sums, Int32(values.count))
  }

  /// The sum of the magnitudes of `values` within `range`.
  ///
  /// The corresponding C function is `recorder_size`.
  public static func size(of values: [Float], in range: Range<Int>) -> Float {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= values.count,
      "\(range) of \(values.count) values")
    return unsafe values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return 0 }
      return unsafe recorder_size(start + range.lowerBound, Int32(range.count))
    }
  }

  /// How a value is kept from deciding alone.
  public enum Limit: Sendable {
    /// Nothing beyond the ceiling counts, on either side.
    case clipped
    /// From the ceiling on values count less and less, as the root; below 0 down to −4.
    case damped
  }

  /// Adds the values within `range`, scaled and limited, to `sums` from `place` on.
  ///
  /// The corresponding C functions are `recorder_add_clipped` and `recorder_add_damped`.
  public static func add(
    _ values: [Float], _ range: Range<Int>, scale: Float, ceiling: Float, limit: Limit,
    to sums: inout [Float], at place: Int
  ) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= values.count && place >= 0
        && place + range.count <= sums.count,
      "\(range) of \(values.count) values to \(place) of \(sums.count)")
    unsafe values.withUnsafeBufferPointer { values in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let from = values.baseAddress, let to = sums.baseAddress else { return }
        let (input, output) = unsafe (from + range.lowerBound, to + place)
        switch limit {
        case .clipped:
          unsafe recorder_add_clipped(input, scale, ceiling, output, Int32(range.count))
        case .damped:
          unsafe recorder_add_damped(input, scale, ceiling, output, Int32(range.count))
        }
      }
    }
  }

  /// The sum of the values within `range`, and of their squares.
  ///
  /// The corresponding C functions are `recorder_sum` and `recorder_squares`.
  public static func moments(of values: [Float], in range: Range<Int>) -> (Double, Double) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= values.count,
      "\(range) of \(values.count) values")
    return unsafe values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return (0, 0) }
      let (from, count) = unsafe (start + range.lowerBound, Int32(range.count))
      return unsafe (recorder_sum(from, count), recorder_squares(from, count))
    }
  }

  /// The mean over `width` values around each of `values`, nothing counting beyond the ends.
  ///
  /// The corresponding C function is `recorder_smooth`.
  public static func smoothed(_ values: [Float], over width: Int) -> [Float] {
    precondition(width > 1, "a mean over \(width) values")
    return unsafe [Float](unsafeUninitializedCapacity: values.count) { output, used in
      if let output = output.baseAddress {
        unsafe recorder_smooth(values, Int32(width), output, Int32(values.count))
      }
      used = values.count
    }
  }

  /// Writes `values` times `shape` to `output` from `place` on.
  ///
  /// The corresponding C function is `recorder_shaped`.
  public static func shape(
    _ values: [Float], by shape: [Float], to output: inout [Float], at place: Int
  ) {
    precondition(
      values.count == shape.count && place >= 0 && place + values.count <= output.count,
      "\(values.count) values, \(shape.count) in the shape")
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let to = output.baseAddress else { return }
      unsafe recorder_shaped(values, shape, to + place, Int32(values.count))
    }
  }

  /// Like ``shape(_:by:to:at:)`` of `values` without `margin` samples at each of their ends, but
  /// stretched about the middle by `slope`: sample i becomes what lies at i + `slope` · (i − middle),
  /// by cubics between the samples.
  ///
  /// The corresponding C function is `recorder_stretched`.
  public static func shape(
    _ values: [Float], margin: Int, stretchedBy slope: Double, by shape: [Float],
    to output: inout [Float], at place: Int
  ) {
    let reach = abs(slope) * Double(shape.count / 2)
    precondition(
      values.count == shape.count + 2 * margin && Double(margin) >= reach + 3 && place >= 0
        && place + shape.count <= output.count,
      "\(values.count) values, \(shape.count) in the shape, \(margin) around, \(reach) reached")
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let to = output.baseAddress else { return }
      unsafe recorder_stretched(
        values, Int32(margin), shape, slope, to + place, Int32(shape.count))
    }
  }

  /// Writes `count` values of what lies between `values` to every `stride`-th of `output` from its
  /// place `first` on: at `place`, `step` further on, and so forth.
  ///
  /// - Parameters:
  ///   - table: a kernel of `taps` samples, a multiple of 8, in rows for `phases` places between two
  ///     samples and one more.
  ///
  /// The corresponding C function is `recorder_between`.
  public static func between(
    _ values: [Double], from place: Double, step: Double, count: Int, with table: [Double],
    taps: Int, phases: Int, to output: inout [Double], at first: Int, stride: Int
  ) {
    let last = place + Double(max(0, count - 1)) * step
    let (low, high) = (min(place, last), max(place, last))
    precondition(
      low >= Double(taps / 2 - 1) && high < Double(values.count - taps / 2) && taps % 8 == 0
        && table.count == (phases + 1) * taps && first >= 0 && stride > 0
        && first + (count - 1) * stride < output.count,
      "\(low) to \(high) of \(values.count) values, \(count) to \(first) of \(output.count)")
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let to = output.baseAddress, count > 0 else { return }
      unsafe recorder_between(
        values, place, step, table, Int32(taps), Int32(phases), to + first, Int32(stride),
        Int32(count))
    }
  }
}
