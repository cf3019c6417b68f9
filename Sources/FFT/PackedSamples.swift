internal import CBatchFFT

/// Samples as files hold them, low byte first, and as numbers.
public enum PackedSamples {
  /// The integers of `width` bytes in `bytes`, 2 to 4, with full scale 1, in single precision.
  ///
  /// The corresponding C function is `recorder_floats_of_integers`.
  public static func floats(of bytes: [UInt8], width: Int) -> [Float] {
    precondition((2...4).contains(width), "integers of 2 to 4 bytes, not \(width)")
    let count = bytes.count / width
    return unsafe [Float](unsafeUninitializedCapacity: count) { output, used in
      if let output = output.baseAddress {
        unsafe recorder_floats_of_integers(bytes, Int32(width), output, Int32(count))
      }
      used = count
    }
  }

  /// The integers of `width` bytes in `bytes`, 2 to 4, with full scale 1.
  ///
  /// The corresponding C function is `recorder_doubles_of_integers`.
  public static func doubles(of bytes: [UInt8], width: Int) -> [Double] {
    precondition((2...4).contains(width), "integers of 2 to 4 bytes, not \(width)")
    let count = bytes.count / width
    return unsafe [Double](unsafeUninitializedCapacity: count) { output, used in
      if let output = output.baseAddress {
        unsafe recorder_doubles_of_integers(bytes, Int32(width), output, Int32(count))
      }
      used = count
    }
  }

  /// The three low bytes of each of `words`.
  ///
  /// The corresponding C function is `recorder_pack24`.
  public static func bytes24(of words: [Int32]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 3 * words.count) { output, used in
      if let output = output.baseAddress {
        unsafe recorder_pack24(words, output, Int32(words.count))
      }
      used = 3 * words.count
    }
  }

  /// Samples, full scale 1, as integers of `steps` steps on either side, rounded with triangular
  /// dither of one step; and how many of them were beyond full scale, which integers cannot hold.
  ///
  /// - Parameter state: what the dither's noise follows from.
  ///
  /// The corresponding C function is `recorder_dithered`.
  public static func dithered(
    _ samples: [Double], steps: Double, state: UInt64
  ) -> (words: [Int32], clipped: Int) {
    var clipped = 0
    let words = unsafe [Int32](unsafeUninitializedCapacity: samples.count) { output, used in
      if let output = output.baseAddress {
        clipped = Int(
          unsafe recorder_dithered(samples, steps, state, output, Int32(samples.count)))
      }
      used = samples.count
    }
    return (words, clipped)
  }
}
