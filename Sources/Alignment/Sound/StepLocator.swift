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

  /// Samples for which a delay is held: two crystals drift by less than half a sample meanwhile.
  private static let chunk = 2048

  /// What a stretch counts with at most, beside the average one.
  private static let loudest = 3.0

  /// How a stretch speaks: its energy, and how alike it is at both delays.
  private struct Stretch {
    let energy: Double
    let before: Double
    let after: Double
  }

  /// The place within `range`, in samples of the other.
  func locate(
    from before: DelayModel, to after: DelayModel, in range: Range<Int64>
  ) throws(SoundReadError) -> Double {
    var stretches: [Stretch] = []
    var start = range.lowerBound
    while start + Int64(Self.chunk) <= range.upperBound {
      stretches += try self.stretches(at: start, before, after)
      start += Int64(Self.chunk)
    }
    guard stretches.count > 2 else { return Double(range.lowerBound) }
    let loudness = stretches.reduce(0) { $0 + $1.energy } / Double(stretches.count)
    let excess = stretches.map { stretch in
      // Loud ones decide: between claps there is noise alone, and much of it.
      return min(Self.loudest, stretch.energy / (loudness + 1e-20))
        * (stretch.before - stretch.after)
    }
    return Double(range.lowerBound) + Double(Self.turn(excess) * Self.stretch)
  }

  private func stretches(
    at start: Int64, _ before: DelayModel, _ after: DelayModel
  ) throws(SoundReadError) -> [Stretch] {
    let middle = Double(start) + Double(Self.chunk / 2)
    func read(_ view: SoundView, _ delay: Double) throws(SoundReadError) -> [Float] {
      Self.brightened(
        try view.samples(
          at: start - Int64(Self.lead) + Int64(delay.rounded()), count: Self.chunk + Self.lead))
    }
    let other = try read(pair.other, 0)
    let first = try read(pair.one, before.delay(at: middle))
    let second = try read(pair.one, after.delay(at: middle))
    return stride(from: 0, to: Self.chunk, by: Self.stretch).map { base in
      let own = Self.product(other, other, from: base, count: Self.stretch)
      return Stretch(
        energy: own, before: Self.likeness(other, first, from: base, own: own),
        after: Self.likeness(other, second, from: base, own: own))
    }
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
