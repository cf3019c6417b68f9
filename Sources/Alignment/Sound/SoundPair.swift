internal import FFT

/// Two sounds that are compared, at one rate.
struct SoundPair: Sendable {
  let one: SoundView
  let other: SoundView
  let hertz: Double
  /// The window's shape.
  let shape: [Float]
  let plan: BatchFFT.Plan

  /// Whether the samples compared are those of the files themselves: then losses are whole numbers.
  var isWhole: Bool { one.isOwn && other.isOwn }

  func windows() -> WindowPair { WindowPair(self) }

  /// The other's samples that both have when the other's first lies at `offset`.
  func overlap(offset: Double) -> Range<Int64> {
    let low = max(0, Int64(-offset))
    let high = min(other.length, Int64(Double(one.length) - offset))
    return low..<max(low, high)
  }

  /// At most `limit` windows evenly over `range`, at least half a window apart.
  static func positions(in range: Range<Int64>, limit: Int) -> [Int64] {
    let room = range.upperBound - range.lowerBound - Int64(WindowPair.count)
    guard room > 0 else { return [range.lowerBound] }
    let wanted = min(limit, Int(room / Int64(WindowPair.count / 2)) + 1)
    guard wanted > 1 else { return [range.lowerBound + room / 2] }
    return (0..<wanted).map { range.lowerBound + room * Int64($0) / Int64(wanted - 1) }
  }
}
