internal import CBatchFFT

/// The course of a band's levels, freed of what is slow.
public enum LevelCourse {
  /// Frames to each side that a frame is held against.
  public static let half = Int(recorder_course_half)

  /// Writes to `output`, from `place` on, what each of `part` of the frames `range` of `levels` counts
  /// with in `table`, in parts of 4096, less the mean over ``half`` frames to each side within
  /// `range`.
  ///
  /// The corresponding C function is `recorder_quicken`.
  public static func write(
    _ part: Range<Int>, of levels: [UInt8], in range: Range<Int>, table: [Int32],
    to output: inout [Float], at place: Int
  ) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= levels.count && table.count == 256
        && part.lowerBound >= 0 && part.upperBound <= range.count && place >= 0
        && place + part.count <= output.count,
      "\(part) of \(range) of \(levels.count) levels to \(place) of \(output.count)")
    unsafe levels.withUnsafeBufferPointer { levels in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let from = levels.baseAddress, let to = output.baseAddress else { return }
        unsafe recorder_quicken(
          from + range.lowerBound, Int32(range.count), table, Int32(part.lowerBound),
          Int32(part.upperBound), to + place)
      }
    }
  }

  /// Scales the values `range`, clips them to `low` and `high`, and takes `mean` off.
  ///
  /// The corresponding C function is `recorder_clip`.
  public static func clip(
    _ values: inout [Float], _ range: Range<Int>, scale: Float, to limits: ClosedRange<Float>,
    mean: Float
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= values.count, "\(range)")
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe recorder_clip(
        start + range.lowerBound, scale, limits.lowerBound, limits.upperBound, mean,
        Int32(range.count))
    }
  }
}
