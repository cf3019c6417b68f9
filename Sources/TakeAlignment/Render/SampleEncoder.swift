internal import BroadcastWave
internal import FFT

/// Stores samples as an aligned file holds them.
struct SampleEncoder {
  private let format: RenderFormat
  /// What the dither's noise goes on from; nothing where the samples are whole steps already.
  ///
  /// The dither is triangular and spans ±1 step (S. P. Lipshitz et al., "Quantization and dither",
  /// 1992), so that rounding is noise and never distortion. Its noise follows from the seed: the
  /// same input gives the same file.
  private var dither: UInt64?
  /// Samples beyond full scale, which integers cannot hold.
  private(set) var clipped: Int64 = 0

  /// Integers of so many bits, but for the sign.
  private static let steps = 8_388_608.0
  /// From one state of the dither to the next sample's: SplitMix64's (Steele, Lea and Flood, 2014).
  private static let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Makes an encoder; what is taken over bit by bit is not dithered.
  init(_ format: RenderFormat, seed: UInt64, isCopy: Bool) {
    self.format = format
    dither = format == .integers24 && !isCopy ? seed : nil
  }

  /// The bytes of a sample.
  var width: Int { format.encoding.bits / 8 }

  /// Samples, full scale 1, as bytes, low byte first.
  mutating func bytes(of samples: [Double]) -> [UInt8] {
    switch format {
    case .float32: return Self.packed(samples)
    case .integers24: return PackedSamples.bytes24(of: integers(samples))
    }
  }

  private mutating func integers(_ samples: [Double]) -> [Int32] {
    if let state = dither {
      let made = PackedSamples.dithered(samples, steps: Self.steps, state: state)
      dither = state &+ UInt64(samples.count) &* Self.gamma
      clipped += Int64(made.clipped)
      return made.words
    }
    for sample in samples where abs(sample) > 1 { clipped += 1 }
    return samples.map { sample in
      let value = (sample * Self.steps).rounded()
      return Int32(min(Self.steps - 1, max(-Self.steps, value)))
    }
  }

  private static func packed(_ samples: [Double]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4 * samples.count) { buffer, used in
      for (place, sample) in samples.enumerated() {
        UnsafeMutableRawPointer(buffer.baseAddress)?.storeBytes(
          of: Float(sample).bitPattern.littleEndian, toByteOffset: 4 * place, as: UInt32.self)
      }
      used = 4 * samples.count
    }
  }
}
