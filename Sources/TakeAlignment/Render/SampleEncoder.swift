internal import Alignment
internal import BroadcastWave

/// Stores samples as an aligned file holds them.
struct SampleEncoder {
  private let format: RenderFormat
  /// Nothing where the samples are whole steps already.
  private var dither: Dither?
  /// Samples beyond full scale, which integers cannot hold.
  private(set) var clipped: Int64 = 0

  /// Integers of so many bits, but for the sign.
  private static let steps = 8_388_608.0

  /// Makes an encoder; what is taken over bit by bit is not dithered.
  init(_ format: RenderFormat, seed: UInt64, isCopy: Bool) {
    self.format = format
    dither = format == .integers24 && !isCopy ? Dither(bits: 24, seed: seed) : nil
  }

  /// The bytes of a sample.
  var width: Int { format.encoding.bits / 8 }

  /// Samples, full scale 1, as bytes, low byte first.
  mutating func bytes(of samples: [Double]) -> [UInt8] {
    switch format {
    case .float32: return Self.packed(samples.map { Float($0).bitPattern }, width: 4)
    case .integers24:
      for sample in samples where abs(sample) > 1 { clipped += 1 }
      return Self.packed(integers(samples), width: 3)
    }
  }

  private mutating func integers(_ samples: [Double]) -> [UInt32] {
    if dither == nil {
      return samples.map { sample in
        let value = (sample * Self.steps).rounded()
        return UInt32(bitPattern: Int32(min(Self.steps - 1, max(-Self.steps, value))))
      }
    }
    return samples.map { UInt32(bitPattern: dither?.round($0) ?? 0) }
  }

  private static func packed(_ words: [UInt32], width: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: words.count * width) { buffer, used in
      var place = 0
      for word in words {
        for byte in 0..<width {
          buffer[place] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte))
          place += 1
        }
      }
      used = place
    }
  }
}
