internal import Glibc
internal import Realtime
internal import Recording
internal import Units

/// Levels of each tenth of a second, from the ring's newest frames.
struct LevelWatch: Sendable {
  struct Heard: Sendable {
    let levels: HostReport.Levels
    /// Samples at full scale, of all channels.
    let clipped: Int
  }

  private let shape: CardShape
  private let conversion: SampleConversion
  private let window: Int
  private var buffer: [UInt8]
  private var watched = SampleIndex(0)

  init(shape: CardShape) {
    self.shape = shape
    conversion = SampleConversion(format: shape.format)
    window = max(1, shape.rate.hertz / 10)
    buffer = [UInt8](repeating: 0, count: window * shape.bytesPerFrame)
  }

  /// What is heard, once a tenth of a second has passed since the last look.
  mutating func look(at ring: FrameRing) -> Heard? {
    let (end, count) = (ring.end, window)
    guard (end - watched).value >= Int64(count) else { return nil }
    watched = end
    let isWhole = buffer.withUnsafeMutableBytes { target in
      target.baseAddress.map {
        ring.copy(from: end - FrameCount(Int64(count)), count: count, to: $0)
      } ?? false
    }
    return isWhole ? heard() : nil
  }

  private func heard() -> Heard {
    var meters = [LevelMeter](repeating: LevelMeter(), count: shape.channels)
    buffer.withUnsafeBytes { source in
      for sample in 0..<window * shape.channels {
        meters[sample % shape.channels].add(conversion.value(source, sample: sample))
      }
    }
    return Heard(
      levels: HostReport.Levels(
        peak: meters.map { Self.decibels($0.peak) }, rms: meters.map { Self.decibels($0.rms) }),
      clipped: meters.reduce(0) { $0 + $1.clipped })
  }

  /// Tenths of a dB of full scale, or nothing for silence.
  private static func decibels(_ value: Float) -> Double? {
    value > 0 ? (20 * log10(Double(value)) * 10).rounded() / 10 : nil
  }
}
