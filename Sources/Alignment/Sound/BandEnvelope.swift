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

  /// Band after band, a byte a frame.
  private let levels: [UInt8]
  let frames: Int
  /// Each band's course over all frames, which every comparison takes.
  private let courses: [EnvelopeCourse]

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
    let levels = Self.bandByBand(parts, frames: total)
    self.levels = levels
    courses = workers.map(Self.bands) { band in
      EnvelopeCourse(levels, in: band * total..<(band + 1) * total)
    }
  }

  /// Puts parts, which are frame by frame, behind one another for each band.
  private static func bandByBand(_ parts: [[UInt8]], frames: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: frames * bands) { output, used in
      var first = 0
      for part in parts {
        unsafe part.withUnsafeBufferPointer { part in
          let count = part.count / bands
          for band in 0..<bands {
            let base = band * frames + first
            for frame in 0..<count { unsafe output[base + frame] = part[frame * bands + band] }
          }
          first += count
        }
      }
      used = frames * bands
    }
  }

  /// The bins at which bands begin and end.
  private static func limits(hertz: Double) -> [Int32] {
    let growth = Elementary.log(edges.1 / edges.0) / Double(bands)
    var limits: [Int32] = []
    for edge in 0...bands {
      let frequency = edges.0 * Elementary.exp(growth * Double(edge))
      let bin = Int32((frequency * Double(window) / hertz).rounded())
      limits.append(max(min(bin, Int32(window / 2 + edge - bands)), (limits.last ?? 0) + 1))
    }
    return limits
  }

  private static func levels(
    of view: SoundView, from first: Int, count: Int, limits: [Int32],
    plan: BatchFFT.Plan
  ) throws(SoundReadError) -> [UInt8] {
    let batches = (count + BatchFFT.lanes - 1) / BatchFFT.lanes
    let sound = try view.samples(
      at: Int64(first) * Int64(hop), count: (batches * BatchFFT.lanes - 1) * hop + window)
    let transform = BatchFFT(plan)
    let shape = HannWindow.samples(window)
    var levels: [UInt8] = []
    levels.reserveCapacity(batches * BatchFFT.lanes * bands)
    for batch in 0..<batches {
      transform.addLevels(
        of: sound, from: batch * BatchFFT.lanes * hop, hop: hop, window: shape, limits: limits,
        to: &levels)
    }
    return Array(levels[..<(count * bands)])
  }

  /// The course of a band within a range of frames as the search takes it: logarithmic above a
  /// floor, freed of everything slower than two seconds, of one size, and clipped, so that no single
  /// event outweighs the rest.
  func course(of band: Int, in range: Range<Int>) -> EnvelopeCourse {
    if range == 0..<frames { return courses[band] }
    let base = band * frames
    return EnvelopeCourse(levels, in: base + range.lowerBound..<base + range.upperBound)
  }

  /// How much happens in each of the frames `range`: what is above the mean of two seconds, over all
  /// bands.
  func liveliness(in range: Range<Int>) -> [Float] {
    var sums = [Float](repeating: 0, count: range.count)
    var values = sums
    for course in courses {
      course.write(from: range.lowerBound, count: range.count, to: &values, at: 0)
      for place in sums.indices { sums[place] += max(0, values[place]) }
    }
    return sums
  }
}
