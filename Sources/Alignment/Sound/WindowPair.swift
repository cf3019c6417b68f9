internal import FFT

/// Compares two sounds window by window in the domain of frequencies. Each thread has its own.
struct WindowPair: ~Copyable {
  /// Samples in a window: 0.68 s at 48 kHz.
  static let count = 32_768
  static let bins = count / 2 + 1
  /// Pairs of windows that are transformed at once.
  static let batch = BatchFFT.lanes / 2

  /// A window of the other, and by how many samples that of the one lies further on.
  struct Place: Sendable {
    let position: Int64
    let delay: Int64
    /// Samples by which the one gets ahead of the other with each.
    var slope = 0.0
  }

  /// What the two may drift apart within half a window, in samples, before the one's is stretched:
  /// else what sounds off the window's middle is heard at another delay than in it.
  private static let drift = 0.15

  private let one: SoundView
  private let other: SoundView
  private let transform: BatchFFT
  private let shape: [Float]
  private var sound = [Float](repeating: 0, count: BatchFFT.lanes * count)
  /// The spectra that were made last: the one's and the other's of each pair in turn.
  private(set) var spectra = Spectra(count: BatchFFT.lanes, bins: bins)
  private var cross = Spectra(count: BatchFFT.lanes, bins: bins)
  /// The bins that are compared: 120 Hz to 20 kHz or to nine tenths of the band.
  let used: Range<Int>

  init(_ pair: SoundPair) {
    one = pair.one
    other = pair.other
    shape = pair.shape
    transform = BatchFFT(pair.plan)
    used = Self.usedBins(hertz: pair.hertz)
  }

  static func usedBins(hertz: Double) -> Range<Int> {
    let low = Int(120 * Double(count) / hertz) + 1
    let high = Int(min(20_000, 0.46 * hertz) * Double(count) / hertz)
    return low..<high
  }

  /// Makes ``spectra`` of at most ``batch`` pairs of windows.
  mutating func transform(_ places: ArraySlice<Place>) throws(SoundReadError) {
    for (number, place) in places.enumerated() {
      let first = place.position + place.delay
      let reach = abs(place.slope) * Double(Self.count / 2)
      if reach > Self.drift {
        try read(one, at: first, stretchedBy: place.slope, reach: reach, lane: 2 * number)
      } else {
        try read(one, at: first, lane: 2 * number)
      }
      try read(other, at: place.position, lane: 2 * number + 1)
    }
    transform.transform(sound, into: &spectra)
  }

  private mutating func read(
    _ view: SoundView, at position: Int64, lane: Int
  ) throws(SoundReadError) {
    let samples = try view.samples(at: position, count: Self.count)
    SampleSums.shape(samples, by: shape, to: &sound, at: lane * Self.count)
  }

  private mutating func read(
    _ view: SoundView, at position: Int64, stretchedBy slope: Double, reach: Double, lane: Int
  ) throws(SoundReadError) {
    let margin = Int(reach) + 4
    let samples = try view.samples(
      at: position - Int64(margin), count: Self.count + 2 * margin)
    SampleSums.shape(
      samples, margin: margin, stretchedBy: slope, by: shape, to: &sound, at: lane * Self.count)
  }

  /// Hands to `take` how alike the windows of each pair are at each delay, in units of the spread
  /// over all delays: the cross spectrum, whitened but for a fifth, taken back to time.
  mutating func likeness(
    at places: [Place], take: (Place, Lags) -> Void
  ) throws(SoundReadError) {
    for first in stride(from: 0, to: places.count, by: BatchFFT.lanes) {
      let part = places[first..<min(places.count, first + BatchFFT.lanes)]
      for start in stride(from: part.startIndex, to: part.endIndex, by: Self.batch) {
        let end = min(part.endIndex, start + Self.batch)
        try transform(part[start..<end])
        for place in start..<end {
          cross.setWhitenedCross(
            place - first, of: (spectra, 2 * (place - start)),
            and: (spectra, 2 * (place - start) + 1), in: used)
        }
      }
      invert(part.count) { lane, lags in take(part[first + lane], lags) }
    }
  }

  /// Takes `count` cross spectra back to time and hands them over in units of their spread.
  private mutating func invert(_ count: Int, take: (Int, Lags) -> Void) {
    transform.invert(cross, into: &sound)
    for lane in 0..<count {
      take(lane, Self.inSpreads(sound, lane: lane))
    }
  }

  /// The sequence of a lane in units of the spread over all of it.
  static func inSpreads(_ values: [Float], lane: Int) -> Lags {
    let size = SampleSums.size(of: values, in: lane * count..<(lane + 1) * count)
    return Lags(
      values, from: lane * count, count: count, scale: Float(count) / (1.2533 * size + 1e-30))
  }
}

/// Takes spectra back to time, several at once.
enum InverseTransforms {
  /// Hands the sequences of the spectra number `numbers`, which `fill` writes into a batch, to
  /// `take`, in their order; only a batch is held at a time.
  static func run(
    _ numbers: Range<Int>, _ transform: borrowing BatchFFT,
    fill: (Int, inout Spectra, Int) -> Void, take: (Int, [Float], Int) -> Void
  ) {
    var spectra = Spectra(count: BatchFFT.lanes, bins: WindowPair.bins)
    var values = [Float](repeating: 0, count: BatchFFT.lanes * WindowPair.count)
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: BatchFFT.lanes) {
      let part = first..<min(numbers.upperBound, first + BatchFFT.lanes)
      for (lane, number) in part.enumerated() { fill(number, &spectra, lane) }
      transform.invert(spectra, into: &values)
      for (lane, number) in part.enumerated() { take(number, values, lane) }
    }
  }
}
