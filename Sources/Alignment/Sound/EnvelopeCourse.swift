internal import FFT

/// The course of one band within a range of frames, made piece by piece.
struct EnvelopeCourse: Sendable {
  private let levels: [UInt8]
  private let range: Range<Int>
  /// What each level counts with.
  private let table: [Int32]
  private var scale: Float = 0
  private var mean: Float = 0

  /// Frames that are made at once to find their size.
  private static let piece = 8192
  /// What a frame counts with at least and at most.
  private static let limits: ClosedRange<Float> = -1...3

  /// The course of the levels within `range`.
  init(_ levels: [UInt8], in range: Range<Int>) {
    self.levels = levels
    self.range = range
    table = Self.table(floor: Self.median(levels, range))
    var square = 0.0
    var pieces = [Float](repeating: 0, count: Self.piece)
    each(&pieces) { values, count in
      square += SampleSums.moments(of: values, in: 0..<count).1
    }
    let count = Double(max(1, range.count))
    let scale = Float(1 / ((square / count).squareRoot() + 1e-9))
    self.scale = scale
    var sum = 0.0
    each(&pieces) { values, count in
      LevelCourse.clip(&values, 0..<count, scale: scale, to: Self.limits, mean: 0)
      sum += SampleSums.moments(of: values, in: 0..<count).0
    }
    mean = Float(sum / count)
  }

  /// Writes the frames from `first` on, counted from the range's beginning and 0 where there are
  /// none, to `output` from `place` on.
  func write(from first: Int, count: Int, to output: inout [Float], at place: Int) {
    for index in place..<place + count { output[index] = 0 }
    let low = max(0, min(range.count, first))
    let high = max(low, min(range.count, first + count))
    guard low < high else { return }
    let base = place + low - first
    LevelCourse.write(low..<high, of: levels, in: range, table: table, to: &output, at: base)
    LevelCourse.clip(
      &output, base..<base + high - low, scale: scale, to: Self.limits, mean: mean)
  }

  /// Hands all frames to `body`, as many at once as fit.
  private func each(_ values: inout [Float], _ body: (inout [Float], Int) -> Void) {
    for low in stride(from: 0, to: range.count, by: Self.piece) {
      let high = min(range.count, low + Self.piece)
      LevelCourse.write(low..<high, of: levels, in: range, table: table, to: &values, at: 0)
      body(&values, high - low)
    }
  }

  private static func median(_ levels: [UInt8], _ range: Range<Int>) -> Int {
    var histogram = [Int](repeating: 0, count: 256)
    for place in range { histogram[Int(levels[place])] += 1 }
    var median = 0
    var below = 0
    while median < 255, below + histogram[median] <= range.count / 2 {
      below += histogram[median]
      median += 1
    }
    return median
  }

  /// The logarithm of each level above 30 dB below `floor`, in parts of 4096, so that sums of many are
  /// exact.
  private static func table(floor: Int) -> [Int32] {
    let tenth = 2.302_585_09 / 10
    let least = Elementary.exp((Double(floor) * 0.75 - 30) * tenth)
    return (0..<256).map { level in
      let value = Elementary.log(Elementary.exp(Double(level) * 0.75 * tenth) + least)
      return Int32((value * 4096).rounded())
    }
  }
}
