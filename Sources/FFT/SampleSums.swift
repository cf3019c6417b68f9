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

  /// The sums of the products of some of `values` with `count` factors of `table` from `row` on, and
  /// with as many behind those.
  ///
  /// - Parameters:
  ///   - place: the first of the values.
  ///   - stride: from one of them to the next.
  ///
  /// The corresponding C function is `recorder_two_dots`.
  public static func dots(
    _ values: [Double], from place: Int, stride: Int, with table: [Double], row: Int, count: Int
  ) -> (Double, Double) {
    precondition(
      place >= 0 && place + (count - 1) * stride < values.count && row >= 0
        && row + 2 * count <= table.count, "\(count) values from \(place), row \(row)")
    var (sum, rest) = (0.0, 0.0)
    unsafe values.withUnsafeBufferPointer { values in
      unsafe table.withUnsafeBufferPointer { table in
        guard let from = values.baseAddress, let rows = table.baseAddress else { return }
        unsafe recorder_two_dots(
          from + place, Int32(stride), rows + row, rows + row + count, Int32(count), &sum,
          &rest)
      }
    }
    return (sum, rest)
  }
}
