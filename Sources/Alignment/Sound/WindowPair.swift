internal import FFT

/// Compares two sounds window by window in the domain of frequencies. Each thread has its own.
struct WindowPair: ~Copyable {
  /// Samples in a window: 0.68 s at 48 kHz.
  static let count = 32_768
  static let bins = count / 2 + 1

  private let one: SoundView
  private let other: SoundView
  private let transform = RealFFT(count: count)
  private let shape: [Float]
  /// The bins that are compared: 120 Hz to 20 kHz or to nine tenths of the band.
  let used: Range<Int>

  init(one: SoundView, other: SoundView, hertz: Double, shape: [Float]) {
    self.one = one
    self.other = other
    self.shape = shape
    used = Self.usedBins(hertz: hertz)
  }

  static func usedBins(hertz: Double) -> Range<Int> {
    let low = Int(120 * Double(count) / hertz) + 1
    let high = Int(min(20_000, 0.46 * hertz) * Double(count) / hertz)
    return low..<high
  }

  /// The spectra of the windows that begin at `position` in the other and `position` + `delay` in
  /// the one.
  func spectra(
    at position: Int64, delay: Int64
  ) throws(SoundReadError) -> (one: [SIMD2<Float>], other: [SIMD2<Float>]) {
    (
      try spectrum(of: one, at: position + delay), try spectrum(of: other, at: position)
    )
  }

  private func spectrum(
    of view: SoundView, at position: Int64
  ) throws(SoundReadError) -> [SIMD2<Float>] {
    var sound = try view.samples(at: position, count: Self.count)
    unsafe sound.withUnsafeMutableBufferPointer { sound in
      unsafe shape.withUnsafeBufferPointer { shape in
        for place in 0..<Self.count { unsafe sound[place] *= shape[place] }
      }
    }
    return transform.spectrum(of: sound)
  }

  /// How alike two windows are at each delay, in units of the spread over all delays: the cross
  /// spectrum, whitened but for a fifth, taken back to time.
  func likeness(
    at position: Int64, delay: Int64
  ) throws(SoundReadError) -> [Float] {
    let (a, b) = try spectra(at: position, delay: delay)
    var cross = [SIMD2<Float>](repeating: .zero, count: Self.bins)
    let used = used
    unsafe cross.withUnsafeMutableBufferPointer { cross in
      unsafe a.withUnsafeBufferPointer { a in
        unsafe b.withUnsafeBufferPointer { b in
          for bin in used {
            let (u, v) = unsafe (a[bin], b[bin])
            let real = u.x * v.x + u.y * v.y
            let imaginary = u.y * v.x - u.x * v.y
            let weight = Self.whitening(real * real + imaginary * imaginary)
            unsafe cross[bin] = SIMD2(real * weight, imaginary * weight)
          }
        }
      }
    }
    return inSpreads(transform.sequence(of: cross))
  }

  /// About `power` to the power −0.4, which is the magnitude to the power −0.8; within 5 %. A
  /// float's bits are about its logarithm.
  static func whitening(_ power: Float) -> Float {
    let bits = Float(Int32(bitPattern: power.bitPattern) &- 0x3F80_0000)
    return Float(bitPattern: UInt32(bitPattern: 0x3F80_0000 &+ Int32(bits * -0.4)))
  }

  private func inSpreads(_ values: [Float]) -> [Float] {
    var values = values
    unsafe values.withUnsafeMutableBufferPointer { values in
      var sum: Float = 0
      for place in 0..<Self.count { unsafe sum += abs(values[place]) }
      let scale = Float(Self.count) / (1.2533 * sum + 1e-30)
      for place in 0..<Self.count { unsafe values[place] *= scale }
    }
    return values
  }

  /// The sequence of a spectrum.
  func sequence(of spectrum: [SIMD2<Float>]) -> [Float] { transform.sequence(of: spectrum) }
}
