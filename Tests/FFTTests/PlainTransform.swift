import Glibc

/// The discrete Fourier transform as it is defined, but for powers of two by halves: what the fast
/// one is held against.
enum PlainTransform {
  /// The bins 0 to half of `samples`.
  static func spectrum(of samples: [Float]) -> [SIMD2<Float>] {
    let bins = transformed(samples.map { SIMD2(Double($0), 0) })
    return bins[...(samples.count / 2)].map { SIMD2(Float($0.x), Float($0.y)) }
  }

  private static func transformed(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    guard values.count % 2 == 0 else { return defined(values) }
    let even = transformed(stride(from: 0, to: values.count, by: 2).map { values[$0] })
    let odd = transformed(stride(from: 1, to: values.count, by: 2).map { values[$0] })
    let half = values.count / 2
    return (0..<values.count).map { bin in
      even[bin % half] + turned(odd[bin % half], by: bin, of: values.count)
    }
  }

  private static func defined(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    values.indices.map { bin in
      values.indices.reduce(SIMD2.zero) {
        $0 + turned(values[$1], by: bin * $1, of: values.count)
      }
    }
  }

  private static func turned(
    _ value: SIMD2<Double>, by steps: Int, of count: Int
  ) -> SIMD2<Double> {
    let angle = -2 * Double.pi * Double(steps % count) / Double(count)
    let (c, s) = (cos(angle), sin(angle))
    return SIMD2(value.x * c - value.y * s, value.x * s + value.y * c)
  }
}
