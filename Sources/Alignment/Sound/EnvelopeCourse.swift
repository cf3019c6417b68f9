internal import FFT

/// The course of one band within a range of frames, made piece by piece.
struct EnvelopeCourse: Sendable {
  private let levels: [UInt8]
  private let range: Range<Int>
  /// What each level counts with.
  private let table: [Float]
  private var scale: Float = 0
  private var mean: Float = 0

  /// Frames to each side that a frame is held against: two seconds in all.
  private static let half = 200
  /// Frames that are made at once to find their size.
  private static let piece = 8192

  /// The course of the levels within `range`.
  init(_ levels: [UInt8], in range: Range<Int>) {
    self.levels = levels
    self.range = range
    table = Self.table(floor: Self.median(levels, range))
    var square: Float = 0
    var pieces = [Float](repeating: 0, count: Self.piece)
    each(&pieces) { values, count in
      for place in 0..<count { square += values[place] * values[place] }
    }
    let count = Float(max(1, range.count))
    scale = 1 / ((square / count).squareRoot() + 1e-9)
    var sum: Float = 0
    let scale = scale
    each(&pieces) { values, count in
      for place in 0..<count { sum += max(-1, min(3, values[place] * scale)) }
    }
    mean = sum / count
  }

  /// Writes the frames from `first` on, counted from the range's beginning and 0 where there are
  /// none, to `output` from `place` on.
  func write(from first: Int, count: Int, to output: inout [Float], at place: Int) {
    for index in place..<place + count { output[index] = 0 }
    let low = max(0, min(range.count, first))
    let high = max(low, min(range.count, first + count))
    guard low < high else { return }
    let base = place + low - first
    quicken(low..<high, into: &output, at: base)
    for index in base..<base + high - low {
      output[index] = max(-1, min(3, output[index] * scale)) - mean
    }
  }

  /// Hands all frames to `body`, as many at once as fit.
  private func each(_ values: inout [Float], _ body: ([Float], Int) -> Void) {
    for low in stride(from: 0, to: range.count, by: Self.piece) {
      let high = min(range.count, low + Self.piece)
      quicken(low..<high, into: &values, at: 0)
      body(values, high - low)
    }
  }

  /// Writes the frames `part`, less the mean over two seconds around each.
  private func quicken(_ part: Range<Int>, into output: inout [Float], at place: Int) {
    precondition(place >= 0 && place + part.count <= output.count && part.upperBound <= range.count)
    let reach = max(0, part.lowerBound - Self.half)..<min(range.count, part.upperBound + Self.half)
    let values = looked(up: reach)
    unsafe values.withUnsafeBufferPointer { values in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var (low, high) = (0, 0)
        var sum: Float = 0
        for frame in part.lowerBound - reach.lowerBound..<part.upperBound - reach.lowerBound {
          while high < min(reach.count, frame + Self.half + 1) {
            unsafe sum += values[high]
            high += 1
          }
          while low < frame - Self.half {
            unsafe sum -= values[low]
            low += 1
          }
          unsafe output[place + frame + reach.lowerBound - part.lowerBound] =
            values[frame] - sum / Float(high - low)
        }
      }
    }
  }

  /// What the levels of some frames count with.
  private func looked(up part: Range<Int>) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: part.count) { values, used in
      unsafe levels.withUnsafeBufferPointer { levels in
        unsafe table.withUnsafeBufferPointer { table in
          let base = range.lowerBound + part.lowerBound
          for index in 0..<part.count { unsafe values[index] = table[Int(levels[base + index])] }
        }
      }
      used = part.count
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

  /// The logarithm of each level above 30 dB below `floor`, in whole 2^-12, so that sums of many
  /// are exact.
  private static func table(floor: Int) -> [Float] {
    let tenth = 2.302_585_09 / 10
    let least = Elementary.exp((Double(floor) * 0.75 - 30) * tenth)
    return (0..<256).map { level in
      let value = Elementary.log(Elementary.exp(Double(level) * 0.75 * tenth) + least)
      return Float((value * 4096).rounded() / 4096)
    }
  }
}
