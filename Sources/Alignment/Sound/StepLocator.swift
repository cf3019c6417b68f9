/// Finds the sample at which the delay jumps from one value to another.
///
/// Short stretches of the other are held against the one at both delays; where the sum of what
/// speaks for the first before, and for the second after, is highest, there the jump is.
struct StepLocator {
  let pair: SoundPair

  /// Samples of a stretch: 5 ms at 48 kHz.
  private static let stretch = 256
  /// Samples that are read ahead for the filter.
  private static let lead = 7

  /// The place within `range`, in samples of the other.
  func locate(
    from before: Double, to after: Double, in range: Range<Int64>
  ) throws(SoundReadError) -> Double {
    let count = Int(range.upperBound - range.lowerBound) / Self.stretch * Self.stretch
    guard count > 2 * Self.stretch else { return Double(range.lowerBound) }
    let start = range.lowerBound
    let other = Self.brightened(
      try pair.other.samples(at: start - Int64(Self.lead), count: count + Self.lead))
    let first = Self.brightened(
      try pair.one.samples(
        at: start - Int64(Self.lead) + Int64(before.rounded()), count: count + Self.lead))
    let second = Self.brightened(
      try pair.one.samples(
        at: start - Int64(Self.lead) + Int64(after.rounded()), count: count + Self.lead))
    var excess: [Double] = []
    let loudness = Self.product(other, other, from: 0, count: count) / Double(count / Self.stretch)
    for base in stride(from: 0, to: count, by: Self.stretch) {
      let own = Self.product(other, other, from: base, count: Self.stretch)
      let weight = min(1, (own / (loudness + 1e-20)).squareRoot())
      excess.append(
        weight
          * (Self.likeness(other, first, from: base, own: own)
            - Self.likeness(other, second, from: base, own: own)))
    }
    return Double(start) + Double(Self.turn(excess) * Self.stretch)
  }

  /// The stretch before which the first delay is the likelier one, and after which the second.
  private static func turn(_ excess: [Double]) -> Int {
    var best = (place: 0, height: 0.0)
    var height = 0.0
    for place in excess.indices {
      height += excess[place]
      if height > best.height { best = (place + 1, height) }
    }
    return best.place
  }

  /// The correlation of a stretch, −1 to 1.
  private static func likeness(
    _ other: [Float], _ one: [Float], from base: Int, own: Double
  ) -> Double {
    let energy = product(one, one, from: base, count: stretch)
    return product(other, one, from: base, count: stretch) / ((own * energy).squareRoot() + 1e-20)
  }

  /// The sound around 6 kHz at a rate of 48 kHz: low frequencies would decide alone, and the
  /// highest ask for a delay known to a part of a sample.
  private static func brightened(_ samples: [Float]) -> [Float] {
    var sums = [Double](repeating: 0, count: samples.count + 1)
    for place in samples.indices { sums[place + 1] = sums[place] + Double(samples[place]) }
    return (lead..<samples.count).map { place in
      let late = sums[place + 1] - sums[place - 3]
      let early = sums[place - 3] - sums[place - 7]
      return Float(late - 0.95 * early)
    }
  }

  private static func product(
    _ one: [Float], _ other: [Float], from base: Int, count: Int
  ) -> Double {
    var sum = 0.0
    for place in base..<base + count { sum += Double(one[place] * other[place]) }
    return sum
  }
}
