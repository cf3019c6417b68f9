internal import FFT

/// A sinc under Kaiser's window, 256 samples long: what lies between samples to within −150 dB.
///
/// Kaiser's parameter follows from 155 dB (J. F. Kaiser, 1974). Between two of the tabled phases
/// it is read along a straight line, whose error at the band's end is (π/8192)²/8, −155 dB.
struct LongKernel: Sendable {
  /// Samples that it reaches to each side.
  static let half = 128
  static let taps = 2 * half
  static let phases = 8192
  private static let beta = 0.1102 * (155 - 8.7)

  /// The kernel for rates that hardly change, which takes a while to make.
  static let whole = LongKernel(cutoff: 1)

  /// One row of taps a phase, and one more.
  let table: [Double]

  /// Makes the kernel with its band's end at `cutoff` of half the input's rate.
  init(cutoff: Double) {
    var table: [Double] = []
    table.reserveCapacity((Self.phases + 1) * Self.taps)
    let scale = 1 / Self.bessel(Self.beta)
    for phase in 0...Self.phases {
      for tap in 0..<Self.taps {
        let x = Double(tap - Self.half + 1) - Double(phase) / Double(Self.phases)
        let place = x / Double(Self.half)
        let inside = max(0, 1 - place * place)
        let angle = .pi * x * cutoff
        let sinc = abs(angle) < 1e-9 ? 1 : Elementary.sin(angle) / angle
        table.append(cutoff * sinc * scale * Self.bessel(Self.beta * inside.squareRoot()))
      }
    }
    self.table = table
  }

  /// The modified Bessel function of order 0.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var order = 1.0
    while term > sum * 1e-17 {
      term *= (x / 2 / order) * (x / 2 / order)
      sum += term
      order += 1
    }
    return sum
  }
}
