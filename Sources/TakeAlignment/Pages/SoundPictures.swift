internal import AlignmentPage
internal import Units

/// A transient and the correlation of a file with the reference, as aligned and as an editor lays
/// it down.
struct SoundPictures {
  let transientBefore: PageTransient
  let transientAfter: PageTransient
  let correlationBefore: [PagePoint]
  let correlationAfter: [PagePoint]

  /// What is shown of a transient before and behind its onset, and what is correlated around it, in
  /// seconds.
  private static let lead = 0.002
  private static let tail = 0.012
  private static let correlated = 0.25
  /// Lags that are shown at least and at most, in seconds, and points of a curve.
  private static let lags = 0.015...0.1
  private static let points = 400
  /// Places that are searched for a transient, and how much in each, in seconds.
  private static let probes = 12
  private static let probe = 0.5

  /// Draws what `file` and `reference` have in common; nothing where that is too little.
  init?(
    of file: SoundCut, beside reference: SoundCut, rate: SampleRate
  ) throws(AlignmentError) {
    let hertz = Double(rate.hertz)
    let margin = (Self.correlated + Self.lags.upperBound) * hertz
    let low = max(file.range.lowerBound, reference.range.lowerBound) + margin
    let high = min(file.range.upperBound, reference.range.upperBound) - margin
    guard high - low > 2 * Self.probe * hertz,
      let onset = try Self.onset(in: reference, from: low, to: high, hertz: hertz)
    else { return nil }
    let apart = abs(file.apart(at: onset)) / hertz
    let reach = min(Self.lags.upperBound, max(Self.lags.lowerBound, 1.5 * apart))
    let heard = try Self.around(onset, of: reference, .after, wider: 0, hertz: hertz)
    func correlation(_ way: SoundCut.Way) throws(AlignmentError) -> [PagePoint] {
      let own = try Self.around(onset, of: file, way, wider: reach, hertz: hertz)
      return Self.correlation(heard, own, hertz: hertz)
    }
    func transient(_ way: SoundCut.Way) throws(AlignmentError) -> PageTransient {
      PageTransient(
        reference: try Self.transient(at: onset, of: reference, .after, hertz: hertz),
        file: try Self.transient(at: onset, of: file, way, hertz: hertz))
    }
    correlationBefore = try correlation(.before)
    correlationAfter = try correlation(.after)
    transientBefore = try transient(.before)
    transientAfter = try transient(.after)
  }

  /// The sharpest onset in the last third, where drift shows.
  private static func onset(
    in cut: SoundCut, from low: Double, to high: Double, hertz: Double
  ) throws(AlignmentError) -> Double? {
    let count = Int(probe * hertz)
    let from = low + (high - low) * 2 / 3
    let room = high - from - Double(count)
    let step = max(1, Int(hertz / 1000))
    var best = (frame: 0.0, rise: 0.0)
    for place in 0..<probes {
      let first = (from + max(0, room) * Double(place) / Double(probes - 1)).rounded()
      let samples = try cut.samples(from: first, count: count, .after)
      let energies = stride(from: 0, to: count - step, by: step).map { start in
        samples[start..<start + step].reduce(0) { $0 + $1 * $1 }
      }
      for index in energies.indices.dropFirst(4).dropLast() {
        let before = energies[index - 4..<index].max() ?? 0
        let rise = energies[index] + energies[index + 1] - 4 * before
        if rise > best.rise { best = (first + Double(index * step), rise) }
      }
    }
    return best.rise > 0 ? best.frame : nil
  }

  private static func around(
    _ onset: Double, of cut: SoundCut, _ way: SoundCut.Way, wider: Double, hertz: Double
  ) throws(AlignmentError) -> [Double] {
    let half = ((correlated + wider) * hertz).rounded()
    return try cut.samples(from: onset - half, count: Int(2 * half), way)
  }

  private static func transient(
    at onset: Double, of cut: SoundCut, _ way: SoundCut.Way, hertz: Double
  ) throws(AlignmentError) -> [PagePoint] {
    let first = (onset - lead * hertz).rounded()
    let samples = try cut.samples(from: first, count: Int((lead + tail) * hertz), way)
    let top = max(samples.map(abs).max() ?? 0, 1e-9)
    return samples.indices.map { place in
      PagePoint((first + Double(place) - onset) / hertz * 1000, samples[place] / top)
    }
  }

  /// How alike the two are at each lag, −1 to 1; the other reaches further to both sides. From
  /// sample to sample they are compared, since low tones alone are alike at every lag.
  private static func correlation(
    _ one: [Double], _ other: [Double], hertz: Double
  ) -> [PagePoint] {
    let one = zip(one.dropFirst(), one).map(-)
    let other = zip(other.dropFirst(), other).map(-)
    let reach = (other.count - one.count) / 2
    let step = max(1, reach * 2 / points)
    let power = one.reduce(0) { $0 + $1 * $1 }
    var squares = [0.0]
    for sample in other { squares.append(squares[squares.count - 1] + sample * sample) }
    return stride(from: 0, through: 2 * reach, by: step).map { start in
      let own = squares[start + one.count] - squares[start]
      let product = one.indices.reduce(0) { $0 + one[$1] * other[$1 + start] }
      return PagePoint(
        Double(start - reach) / hertz * 1000, product / ((power * own).squareRoot() + 1e-12))
    }
  }
}
