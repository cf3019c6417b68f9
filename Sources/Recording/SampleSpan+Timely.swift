extension [SampleSpan] {
  /// From so many spans on it can be told which are late.
  private static let fewest = 8
  /// What is late by more than this and by more than so many usual deviations is late as a whole, in
  /// nanoseconds.
  private static let leastNanoseconds = 2000.0
  private static let deviations = 6.0

  /// Without those in which every look was late: the pointer stood still for a while, or the machine
  /// did. One such span among many would bend a line of least squares out of all measure, for as
  /// long as it is in the window.
  ///
  /// They are told by a line that a few of them cannot bend: with the middle one of the slopes from
  /// each span of the window's first half to its fellow of the second.
  var timely: [SampleSpan] {
    guard count >= Self.fewest, let slope = middleSlope else { return self }
    let origin = self[0]
    let late = map { span in
      Double(span.host - origin.host) - Double(span.count - origin.count) * slope
    }
    let middle = late.sorted()[count / 2]
    let deviation = late.map { abs($0 - middle) }.sorted()[count / 2]
    let limit = middle + Swift.max(Self.leastNanoseconds, Self.deviations * deviation)
    return zip(self, late).filter { $0.1 <= limit }.map(\.0)
  }

  /// In nanoseconds a frame; nothing where no two spans have counts that differ.
  private var middleSlope: Double? {
    let half = count / 2
    let slopes = (0..<half).compactMap { place -> Double? in
      let (first, second) = (self[place], self[place + half])
      guard second.count > first.count else { return nil }
      return Double(second.host - first.host) / Double(second.count - first.count)
    }
    return slopes.isEmpty ? nil : slopes.sorted()[slopes.count / 2]
  }
}
