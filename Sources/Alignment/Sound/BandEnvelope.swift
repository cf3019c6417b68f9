internal import FFT

/// How loud a sound is in each of its bands, 200 times a second.
///
/// The levels are kept as bytes, in steps of 0.75 dB: 11 MB an hour.
struct BandEnvelope: Sendable {
  static let bands = 16
  /// Samples between two frames, at the rate of comparison.
  static let hop = 240
  /// Samples that a frame looks at.
  static let window = 512
  /// Frames made as one piece of work.
  private static let chunk = 2048
  /// The lowest and the highest edge of the bands, in parts of 48 kHz's 24 kHz.
  private static let edges = (150.0, 9000.0)

  /// Frame after frame, a byte a band.
  private let levels: [UInt8]
  let frames: Int

  /// Reads all of `view`.
  init(of view: SoundView, hertz: Double, workers: any Workers) throws(SoundReadError) {
    let total = max(1, Int((view.length - Int64(Self.window)) / Int64(Self.hop)) + 1)
    let chunks = (total + Self.chunk - 1) / Self.chunk
    let limits = Self.limits(hertz: hertz)
    let plan = BatchFFT.Plan(count: Self.window)
    let parts = try workers.tryMap(chunks) { place throws(SoundReadError) in
      let first = place * Self.chunk
      return try Self.levels(
        of: view, from: first, count: min(Self.chunk, total - first), limits: limits,
        plan: plan)
    }
    frames = total
    levels = Array(parts.joined())
  }

  /// The bins at which bands begin and end.
  private static func limits(hertz: Double) -> [Int] {
    let growth = Elementary.log(edges.1 / edges.0) / Double(bands)
    var limits: [Int] = []
    for edge in 0...bands {
      let frequency = edges.0 * Elementary.exp(growth * Double(edge))
      let bin = Int((frequency * Double(window) / hertz).rounded())
      limits.append(max(bin, (limits.last ?? 0) + 1))
    }
    return limits
  }

  private static func levels(
    of view: SoundView, from first: Int, count: Int, limits: [Int],
    plan: BatchFFT.Plan
  ) throws(SoundReadError) -> [UInt8] {
    let sound = try view.samples(
      at: Int64(first) * Int64(hop), count: (count - 1) * hop + window)
    let transform = BatchFFT(plan)
    let shape = HannWindow.samples(window)
    let bins = plan.bins
    var levels: [UInt8] = []
    levels.reserveCapacity(count * bands)
    var pieces = [Float](repeating: 0, count: BatchFFT.lanes * window)
    for first in stride(from: 0, to: count, by: BatchFFT.lanes) {
      let lanes = min(BatchFFT.lanes, count - first)
      for lane in 0..<lanes {
        let base = (first + lane) * hop
        for place in 0..<window {
          pieces[lane * window + place] = sound[base + place] * shape[place]
        }
      }
      let spectra = transform.spectra(of: pieces)
      for lane in 0..<lanes {
        for band in 0..<bands {
          var power: Float = 0
          for bin in limits[band]..<min(limits[band + 1], bins) {
            let value = spectra[lane * bins + bin]
            power += value.x * value.x + value.y * value.y
          }
          levels.append(level(power / Float(limits[band + 1] - limits[band])))
        }
      }
    }
    return levels
  }

  /// 10 · log10 of a power in steps of 0.75 dB above −140 dB.
  private static func level(_ power: Float) -> UInt8 {
    let decibels = 4.342_944_8 * Elementary.log(power + 1e-14)
    return UInt8(max(0, min(255, (decibels + 140) / 0.75 + 0.5)))
  }

  /// The course of a band within `range` as the search takes it: logarithmic above a floor, freed
  /// of everything slower than two seconds, of one size, and clipped, so that no single event
  /// outweighs the rest.
  func course(of band: Int, in range: Range<Int>) -> [Float] {
    let raw = range.map { levels[$0 * Self.bands + band] }
    var histogram = [Int](repeating: 0, count: 256)
    for level in raw { histogram[Int(level)] += 1 }
    var median = 0
    var below = 0
    while median < 255, below + histogram[median] <= raw.count / 2 {
      below += histogram[median]
      median += 1
    }
    let tenth = 2.302_585_09 / 10
    let floor = Elementary.exp((Double(median) * 0.75 - 30) * tenth)
    let table = (0..<256).map { level in
      Float(Elementary.log(Elementary.exp(Double(level) * 0.75 * tenth) + floor))
    }
    return Self.clipped(Self.quickened(raw.map { table[Int($0)] }))
  }

  /// Less its mean over two seconds around.
  private static func quickened(_ values: [Float]) -> [Float] {
    let half = 200
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append(sums[sums.count - 1] + Double(value)) }
    return values.indices.map { place in
      let low = max(0, place - half)
      let high = min(values.count, place + half + 1)
      return values[place] - Float((sums[high] - sums[low]) / Double(high - low))
    }
  }

  /// Scaled to a standard deviation of 1, clipped to −1...3, without mean.
  private static func clipped(_ values: [Float]) -> [Float] {
    let square = values.reduce(0.0) { $0 + Double($1) * Double($1) }
    let scale = Float(1 / ((square / Double(max(1, values.count))).squareRoot() + 1e-9))
    let clipped = values.map { max(-1, min(3, $0 * scale)) }
    let mean = Float(clipped.reduce(0.0) { $0 + Double($1) } / Double(max(1, clipped.count)))
    return clipped.map { $0 - mean }
  }
}
