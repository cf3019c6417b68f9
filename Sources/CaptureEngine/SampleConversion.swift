internal import ALSA
internal import Recording

/// From a card's native samples to the file's 24 bits, and to levels.
struct SampleConversion: Sendable {
  let format: PCMFormat

  /// Writes `count` samples as 24 bits, low byte first.
  func convert(_ source: UnsafeRawBufferPointer, count: Int, to target: inout [UInt8]) {
    target = [UInt8](unsafeUninitializedCapacity: count * 3) { bytes, used in
      used = count * 3
      switch format {
      case .s24Packed: take(source, from: 0, of: 3, count: count, to: bytes)
      case .s32: take(source, from: 1, of: 4, count: count, to: bytes)
      case .s24: take(source, from: 0, of: 4, count: count, to: bytes)
      case .s16: widen(source, count: count, to: bytes)
      case .float: round(source, count: count, to: bytes)
      }
    }
  }

  /// Three bytes of each `width`, from the byte `first` on.
  private func take(
    _ source: UnsafeRawBufferPointer, from first: Int, of width: Int, count: Int,
    to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count {
      for part in 0..<3 { bytes[3 * sample + part] = source[width * sample + first + part] }
    }
  }

  private func widen(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count {
      bytes[3 * sample] = 0
      bytes[3 * sample + 1] = source[2 * sample]
      bytes[3 * sample + 2] = source[2 * sample + 1]
    }
  }

  /// Numbers beyond full scale are held at it, and what is no number is silence.
  private func round(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count {
      let value = source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
      let scaled = value.isFinite ? (Double(value) * 8_388_608).rounded() : 0
      let whole = Int32(max(-8_388_608, min(8_388_607, scaled)))
      for part in 0..<3 {
        bytes[3 * sample + part] = UInt8(truncatingIfNeeded: whole >> Int32(8 * part))
      }
    }
  }

  /// One sample of full scale 1.
  func value(_ source: UnsafeRawBufferPointer, sample: Int) -> Float {
    switch format {
    case .s32:
      Float(source.loadUnaligned(fromByteOffset: 4 * sample, as: Int32.self)) / 2_147_483_648
    case .s24Packed: packed(source, at: 3 * sample)
    case .s24: packed(source, at: 4 * sample)
    case .s16: Float(source.loadUnaligned(fromByteOffset: 2 * sample, as: Int16.self)) / 32_768
    case .float: source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
    }
  }

  private func packed(_ source: UnsafeRawBufferPointer, at place: Int) -> Float {
    let low = Int32(source[place]) | Int32(source[place + 1]) << 8
    let whole = low | Int32(Int8(bitPattern: source[place + 2])) << 16
    return Float(whole) / 8_388_608
  }
}
