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
  }

  private let one: SoundView
  private let other: SoundView
  private let transform: BatchFFT
  private let shape: [Float]
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

  /// The spectra of at most ``batch`` pairs of windows.
  func spectra(at places: ArraySlice<Place>) throws(SoundReadError) -> PairSpectra {
    var sound = [Float](repeating: 0, count: BatchFFT.lanes * Self.count)
    for (number, place) in places.enumerated() {
      try read(one, at: place.position + place.delay, into: &sound, lane: 2 * number)
      try read(other, at: place.position, into: &sound, lane: 2 * number + 1)
    }
    return PairSpectra(values: transform.spectra(of: sound))
  }

  private func read(
    _ view: SoundView, at position: Int64, into sound: inout [Float], lane: Int
  ) throws(SoundReadError) {
    let samples = try view.samples(at: position, count: Self.count)
    unsafe sound.withUnsafeMutableBufferPointer { sound in
      unsafe samples.withUnsafeBufferPointer { samples in
        unsafe shape.withUnsafeBufferPointer { shape in
          let base = lane * Self.count
          for place in 0..<Self.count {
            unsafe sound[base + place] = samples[place] * shape[place]
          }
        }
      }
    }
  }

  /// How alike the windows of each pair are at each delay, in units of the spread over all delays:
  /// the cross spectrum, whitened but for a fifth, taken back to time.
  func likeness(at places: [Place]) throws(SoundReadError) -> [[Float]] {
    var found: [[Float]] = []
    for first in stride(from: 0, to: places.count, by: BatchFFT.lanes) {
      let part = places[first..<min(places.count, first + BatchFFT.lanes)]
      var cross = [SIMD2<Float>](repeating: .zero, count: BatchFFT.lanes * Self.bins)
      for start in stride(from: part.startIndex, to: part.endIndex, by: Self.batch) {
        let end = min(part.endIndex, start + Self.batch)
        let spectra = try self.spectra(at: part[start..<end])
        for place in start..<end {
          add(spectra, pair: place - start, into: &cross, lane: place - first)
        }
      }
      let values = transform.sequences(of: cross)
      for lane in 0..<part.count {
        found.append(Self.inSpreads(values[lane * Self.count..<(lane + 1) * Self.count]))
      }
    }
    return found
  }

  private func add(
    _ spectra: PairSpectra, pair: Int, into cross: inout [SIMD2<Float>], lane: Int
  ) {
    let used = used
    unsafe cross.withUnsafeMutableBufferPointer { cross in
      unsafe spectra.withPair(pair) { a, b in
        let base = lane * Self.bins
        for bin in used {
          let (u, v) = unsafe (a[bin], b[bin])
          let real = u.x * v.x + u.y * v.y
          let imaginary = u.y * v.x - u.x * v.y
          let weight = Self.whitening(real * real + imaginary * imaginary)
          unsafe cross[base + bin] = SIMD2(real * weight, imaginary * weight)
        }
      }
    }
  }

  /// About `power` to the power −0.4, which is the magnitude to the power −0.8; within 5 %. A
  /// float's bits are about its logarithm.
  static func whitening(_ power: Float) -> Float {
    let bits = Float(Int32(bitPattern: power.bitPattern) &- 0x3F80_0000)
    return Float(bitPattern: UInt32(bitPattern: 0x3F80_0000 &+ Int32(bits * -0.4)))
  }

  private static func inSpreads(_ values: ArraySlice<Float>) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: count) { output, used in
      unsafe values.withUnsafeBufferPointer { values in
        var sum: Float = 0
        for place in 0..<count { unsafe sum += abs(values[place]) }
        let scale = Float(count) / (1.2533 * sum + 1e-30)
        for place in 0..<count { unsafe output[place] = values[place] * scale }
      }
      used = count
    }
  }
}

/// The spectra of a few pairs of windows.
struct PairSpectra: Sendable {
  fileprivate let values: [SIMD2<Float>]

  /// Hands over the spectra of pair number `pair`: the one's and the other's.
  func withPair(
    _ pair: Int,
    _ body: (UnsafeBufferPointer<SIMD2<Float>>, UnsafeBufferPointer<SIMD2<Float>>) -> Void
  ) {
    let (first, bins) = (2 * pair * WindowPair.bins, WindowPair.bins)
    unsafe values[first..<first + bins].withUnsafeBufferPointer { one in
      unsafe values[first + bins..<first + 2 * bins].withUnsafeBufferPointer { other in
        unsafe body(one, other)
      }
    }
  }
}

/// Takes spectra back to time, several at once.
enum InverseTransforms {
  /// Hands the sequences of the spectra number `numbers` to `take`, in their order; only a batch is
  /// held at a time.
  static func run(
    _ numbers: Range<Int>, _ transform: borrowing BatchFFT,
    spectrum: (Int) -> [SIMD2<Float>], take: (Int, [Float]) -> Void
  ) {
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: BatchFFT.lanes) {
      let part = first..<min(numbers.upperBound, first + BatchFFT.lanes)
      var spectra: [SIMD2<Float>] = []
      spectra.reserveCapacity(BatchFFT.lanes * WindowPair.bins)
      for number in part { spectra += spectrum(number) }
      let missing = (BatchFFT.lanes - part.count) * WindowPair.bins
      spectra += repeatElement(.zero, count: missing)
      let values = transform.sequences(of: spectra)
      for (lane, number) in part.enumerated() {
        take(number, Array(values[lane * WindowPair.count..<(lane + 1) * WindowPair.count]))
      }
    }
  }
}
