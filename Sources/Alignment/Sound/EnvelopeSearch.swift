internal import FFT

/// Looks for where the envelope of one sound lies in that of another, over all places there are.
///
/// The one is taken in blocks, each of which gives the correlation at many lags at once; eight bands
/// are transformed together.
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
  private static let leastLength = 1024

  /// The most prominent places of `other`'s frames `range` in `one`, best first.
  static func candidates(
    for other: BandEnvelope, in range: Range<Int>, within one: BandEnvelope, limit: Int,
    workers: any Workers
  ) -> [Candidate] {
    let least = min(leastOverlap, range.count, one.frames)
    let lags = least - range.count..<one.frames - least + 1
    let correlation = correlation(of: other, range, with: one, over: lags, workers: workers)
    return best(
      of: correlation, lags: lags, one: one.frames, other: range.count, limit: limit)
  }

  /// The sum of all bands' correlations at `lags`.
  private static func correlation(
    of other: BandEnvelope, _ range: Range<Int>, with one: BandEnvelope, over lags: Range<Int>,
    workers: any Workers
  ) -> [Float] {
    let plan = BatchFFT.Plan(count: length(for: range.count))
    let block = plan.count - range.count + 1
    let starts = Array(stride(from: lags.lowerBound, to: lags.upperBound, by: block))
    let parts: [Spectra] = workers.map(BandEnvelope.bands / BatchFFT.lanes) { part in
      let bands = part * BatchFFT.lanes..<(part + 1) * BatchFFT.lanes
      return spectra(
        of: bands.map { other.course(of: $0, in: range) },
        with: bands.map { one.course(of: $0, in: 0..<one.frames) }, from: starts, plan: plan)
    }
    var sums = parts[0]
    for part in parts.dropFirst() { sums.add(part) }
    return sequences(of: sums, plan: plan, block: block, count: lags.count)
  }

  /// A power of two of at least twice `frames`.
  private static func length(for frames: Int) -> Int {
    var length = leastLength
    while length < 2 * frames { length *= 2 }
    return length
  }

  /// For each block of the ones, which begin at `starts`, the sum of the cross spectra of all
  /// bands.
  private static func spectra(
    of others: [EnvelopeCourse], with ones: [EnvelopeCourse], from starts: [Int],
    plan: BatchFFT.Plan
  ) -> Spectra {
    let transform = BatchFFT(plan)
    func transformed(_ spectra: inout Spectra, _ courses: [EnvelopeCourse], from start: Int) {
      transform.transform(&spectra) { values in
        for (lane, course) in courses.enumerated() {
          course.write(from: start, count: plan.count, to: &values, at: lane * plan.count)
        }
      }
    }
    var own = Spectra(count: BatchFFT.lanes, bins: plan.bins)
    transformed(&own, others, from: 0)
    var found = Spectra(count: BatchFFT.lanes, bins: plan.bins)
    var sums = Spectra(count: starts.count, bins: plan.bins)
    for (number, start) in starts.enumerated() {
      transformed(&found, ones, from: start)
      for lane in ones.indices {
        sums.addCross(number, of: (found, lane), and: (own, lane), in: 0..<plan.bins)
      }
    }
    return sums
  }

  /// The first `block` values of each sequence, one behind the other: `count` in all.
  private static func sequences(
    of sums: Spectra, plan: BatchFFT.Plan, block: Int, count: Int
  ) -> [Float] {
    let transform = BatchFFT(plan)
    var batch = Spectra(count: BatchFFT.lanes, bins: plan.bins)
    var values = [Float](repeating: 0, count: BatchFFT.lanes * plan.count)
    var result: [Float] = []
    result.reserveCapacity(count)
    for first in stride(from: 0, to: sums.count, by: BatchFFT.lanes) {
      let part = first..<min(sums.count, first + BatchFFT.lanes)
      for (lane, number) in part.enumerated() { batch.set(lane, to: sums, number) }
      transform.invert(batch, into: &values)
      for lane in 0..<part.count {
        let room = min(block, count - result.count)
        result += values[lane * plan.count..<lane * plan.count + room]
      }
    }
    return result
  }

  private static func best(
    of correlation: [Float], lags: Range<Int>, one: Int, other: Int, limit: Int
  ) -> [Candidate] {
    var heights = correlation
    for place in heights.indices {
      let lag = lags.lowerBound + place
      let overlap = min(one, lag + other) - max(0, lag)
      heights[place] /= Float(overlap).squareRoot()
    }
    let size = SampleSums.size(of: heights, in: heights.indices)
    let spread = Double(size) / Double(heights.count) * 1.2533
    var found: [Candidate] = []
    while found.count < limit {
      var place = 0
      for next in heights.indices where heights[next] > heights[place] { place = next }
      guard heights[place] > 0 else { break }
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
