internal import FFT

/// A source seen at the rate at which sounds are compared.
struct SoundView: Sendable {
  private let source: any SoundSource
  /// Source samples to one sample of the view.
  private let ratio: Double
  private let kernel: SincKernel?
  /// Samples in the view.
  let length: Int64

  init(_ source: any SoundSource, hertz: Double) {
    self.source = source
    ratio = source.hertz / hertz
    kernel = ratio == 1 ? nil : SincKernel(ratio: ratio)
    length = Int64(Double(source.frames) / ratio)
  }

  /// Whether its samples are the source's own.
  var isOwn: Bool { kernel == nil }

  /// `count` samples from `start` on; silence where there are none.
  func samples(at start: Int64, count: Int) throws(SoundReadError) -> [Float] {
    guard let kernel else { return try source.samples(at: start, count: count) }
    let first = Double(start) * ratio
    let begin = Int64(first.rounded(.down)) - Int64(kernel.half)
    let span = Int((Double(count) * ratio).rounded(.up)) + 2 * kernel.half + 2
    let raw = try source.samples(at: begin, count: span)
    return kernel.interpolate(raw, from: first - Double(begin), step: ratio, count: count)
  }
}

/// A windowed sinc that reads between samples, steep enough to compare sounds by; what is
/// rendered goes through a better one.
struct SincKernel: Sendable {
  /// Samples that it reaches to each side.
  let half: Int
  private let table: [Float]
  private static let phases = 512

  /// Makes the kernel for taking every `ratio`-th sample.
  init(ratio: Double) {
    let cutoff = 0.96 * min(1, 1 / ratio)
    half = Int((24 / cutoff).rounded(.up))
    var table: [Float] = []
    table.reserveCapacity((Self.phases + 1) * 2 * half)
    for phase in 0...Self.phases {
      for tap in 0..<2 * half {
        let x = Double(tap - half + 1) - Double(phase) / Double(Self.phases)
        let window = 0.5 + 0.5 * Elementary.cos(.pi * max(-1, min(1, x / Double(half))))
        let angle = .pi * x * cutoff
        let sinc = abs(angle) < 1e-9 ? 1 : Elementary.sin(angle) / angle
        table.append(Float(cutoff * sinc * window))
      }
    }
    self.table = table
  }

  /// `count` values of `raw` at `from`, `from` + `step` and so on.
  func interpolate(_ raw: [Float], from: Double, step: Double, count: Int) -> [Float] {
    let taps = 2 * half
    return unsafe raw.withUnsafeBufferPointer { raw in
      unsafe table.withUnsafeBufferPointer { table in
        (0..<count).map { place in
          let position = from + Double(place) * step
          let whole = Int(position)
          let phase = Int((position - Double(whole)) * Double(Self.phases) + 0.5)
          var sum: Float = 0
          let base = whole - half + 1
          let row = phase * taps
          for tap in 0..<taps { unsafe sum += raw[base + tap] * table[row + tap] }
          return sum
        }
      }
    }
  }
}
