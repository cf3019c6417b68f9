internal import FFT

/// Looks for where the envelope of one sound lies in that of another, over all places there are.
struct EnvelopeSearch {
  /// A place with how far it stands out.
  struct Candidate: Sendable {
    /// The frame of the one at which the other begins.
    let lag: Int
    /// In units of what other places have.
    let prominence: Double
  }

  /// The least common stretch that is looked for, in frames: two seconds.
  static let leastOverlap = 400
  /// Frames around a candidate that are no candidate of their own.
  private static let exclusion = 20

  /// The most prominent places of `other`'s frames `range` in `one`, best first.
  static func candidates(
    for other: BandEnvelope, in range: Range<Int>, within one: BandEnvelope, limit: Int,
    workers: any Workers
  ) -> [Candidate] {
    let whole = 0..<one.frames
    var size = 1024
    while size < one.frames + range.count { size *= 2 }
    let length = size
    let parts: [[SIMD2<Float>]] = workers.map(2) { half in
      let transform = RealFFT(count: length)
      var sum = [SIMD2<Float>](repeating: .zero, count: transform.bins)
      for band in stride(from: half, to: BandEnvelope.bands, by: 2) {
        let a = transform.spectrum(of: padded(one.course(of: band, in: whole), to: length))
        let b = transform.spectrum(of: padded(other.course(of: band, in: range), to: length))
        for bin in sum.indices {
          let (u, v) = (a[bin], b[bin])
          sum[bin] += SIMD2(u.x * v.x + u.y * v.y, u.y * v.x - u.x * v.y)
        }
      }
      return sum
    }
    var sum = parts[0]
    for bin in sum.indices { sum[bin] += parts[1][bin] }
    let correlation = RealFFT(count: length).sequence(of: sum)
    return best(of: correlation, one: one.frames, other: range.count, limit: limit)
  }

  private static func padded(_ values: [Float], to count: Int) -> [Float] {
    values + [Float](repeating: 0, count: count - values.count)
  }

  private static func best(
    of correlation: [Float], one: Int, other: Int, limit: Int
  ) -> [Candidate] {
    let least = min(leastOverlap, other, one)
    let lags = (least - other)...(one - least)
    var heights = lags.map { lag in
      let overlap = min(one, lag + other) - max(0, lag)
      let place = lag < 0 ? lag + correlation.count : lag
      return correlation[place] / Float(overlap).squareRoot()
    }
    let spread = heights.reduce(0.0) { $0 + Double(abs($1)) } / Double(heights.count) * 1.2533
    var found: [Candidate] = []
    while found.count < limit {
      guard let place = heights.indices.max(by: { heights[$0] < heights[$1] }),
        heights[place] > 0
      else { break }
      found.append(
        Candidate(
          lag: lags.lowerBound + place, prominence: Double(heights[place]) / (spread + 1e-12)))
      for near in max(0, place - exclusion)...min(heights.count - 1, place + exclusion) {
        heights[near] = -.infinity
      }
    }
    return found
  }
}
