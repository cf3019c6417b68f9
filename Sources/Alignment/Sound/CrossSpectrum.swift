internal import FFT

/// Cross spectra of windows that were turned by the model's delay and added up, so that what
/// both sounds share adds in phase over many windows and what they do not share does not.
struct CrossSpectrum: Sendable {
  var cross = [SIMD2<Float>](repeating: .zero, count: WindowPair.bins)
  var one = [Float](repeating: 0, count: WindowPair.bins)
  var other = [Float](repeating: 0, count: WindowPair.bins)
  /// The windows' weights, summed, squared and summed, and their positions' weighted sum.
  var weight = 0.0
  var weightSquares = 0.0
  var moment = 0.0

  /// The windows' weighted middle.
  var position: Double { moment / max(weight, 1e-300) }

  /// Adds the windows `a` and `b` whose delay is `turn` samples beyond what they were cut with.
  mutating func add(
    _ spectra: PairSpectra, pair: Int, turn: Double, weight: Double, position: Double,
    used: Range<Int>
  ) {
    unsafe spectra.withPair(pair) { a, b in
      var (powerA, powerB) = (SIMD2<Float>.zero, SIMD2<Float>.zero)
      for bin in used {
        unsafe powerA += a[bin] * a[bin]
        unsafe powerB += b[bin] * b[bin]
      }
      let power = powerA.sum() * powerB.sum()
      let scale = Float(weight) * Float(used.count) / (power.squareRoot() + 1e-20)
      var phase = Phasor(turn: turn, bins: WindowPair.count, from: used.lowerBound)
      unsafe cross.withUnsafeMutableBufferPointer { cross in
        unsafe one.withUnsafeMutableBufferPointer { one in
          unsafe other.withUnsafeMutableBufferPointer { other in
            for bin in used {
              let (u, v) = unsafe (a[bin], b[bin])
              let real = (u.x * v.x + u.y * v.y) * scale
              let imaginary = (u.y * v.x - u.x * v.y) * scale
              let (c, s) = phase.next()
              unsafe cross[bin] += SIMD2(real * c - imaginary * s, real * s + imaginary * c)
              unsafe one[bin] += (u.x * u.x + u.y * u.y) * scale
              unsafe other[bin] += (v.x * v.x + v.y * v.y) * scale
            }
          }
        }
      }
    }
    self.weight += weight
    weightSquares += weight * weight
    moment += weight * position
  }

  /// Turns what was added up by `turn` samples more.
  mutating func turn(by turn: Double, used: Range<Int>) {
    var phase = Phasor(turn: turn, bins: WindowPair.count, from: used.lowerBound)
    for bin in used {
      let (c, s) = phase.next()
      let value = cross[bin]
      cross[bin] = SIMD2(value.x * c - value.y * s, value.x * s + value.y * c)
    }
  }
}

/// The factors e^(jωd) of successive bins, for a delay of d samples.
struct Phasor {
  private var real: Double
  private var imaginary: Double
  private let stepReal: Double
  private let stepImaginary: Double

  init(turn: Double, bins: Int, from bin: Int) {
    let angle = 2 * Double.pi * turn / Double(bins)
    stepReal = Elementary.cos(angle)
    stepImaginary = Elementary.sin(angle)
    real = Elementary.cos(angle * Double(bin))
    imaginary = Elementary.sin(angle * Double(bin))
  }

  mutating func next() -> (cos: Float, sin: Float) {
    let result = (Float(real), Float(imaginary))
    let turned = real * stepReal - imaginary * stepImaginary
    imaginary = real * stepImaginary + imaginary * stepReal
    real = turned
    return result
  }
}
