internal import ALSA
internal import BroadcastWave
internal import Recording

/// From a card's native samples to the file's, and to levels.
struct SampleConversion: Sendable {
  let format: PCMFormat
  var encoding = SampleEncoding.integer(bits: 24)

  /// Writes `count` samples as the file stores them, low byte first.
  ///
  /// Integers of the same width, or of a wider one, are the card's own bits. Fewer bits than the
  /// card gives are the upper ones, rounded.
  func convert(_ source: UnsafeRawBufferPointer, count: Int, to target: inout [UInt8]) {
    let width = encoding.bytes
    target = [UInt8](unsafeUninitializedCapacity: count * width) { bytes, used in
      used = count * width
      switch (format, encoding) {
      case (.float, .float32): copyNumbers(source, count: count, to: bytes)
      case (.float, .integer): round(source, count: count, to: bytes)
      case (_, .float32): toNumbers(source, count: count, to: bytes)
      case (.s32, .integer(bits: 16)), (.s24, .integer(bits: 16)),
        (.s24Packed, .integer(bits: 16)):
        narrow(source, count: count, to: bytes)
      case (_, .integer): move(source, count: count, to: bytes)
      }
    }
  }

  /// How many bytes of a sample carry sound, from the first.
  private var carried: Int { format == .s24 ? 3 : format.bytes }

  /// The upper bytes of each sample, with zeros below where the file has more.
  private func move(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    let width = encoding.bytes
    let kept = min(width, carried)
    let from = carried - kept
    let to = width - kept
    let step = format.bytes
    for sample in 0..<count {
      for part in 0..<to { bytes[width * sample + part] = 0 }
      for part in 0..<kept {
        bytes[width * sample + to + part] = source[step * sample + from + part]
      }
    }
  }

  /// To 16 bits, rounded to the nearest and held at full scale.
  private func narrow(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count {
      let whole = Int64(integer(source, sample: sample))
      let rounded = min(32_767, (whole + 0x8000) >> 16)
      bytes[2 * sample] = UInt8(truncatingIfNeeded: rounded)
      bytes[2 * sample + 1] = UInt8(truncatingIfNeeded: rounded >> 8)
    }
  }

  /// A sample of integers as 32 bits of full scale.
  private func integer(_ source: UnsafeRawBufferPointer, sample: Int) -> Int32 {
    let place = format.bytes * sample + carried
    var whole: UInt32 = 0
    for part in 1...4 {
      whole = whole << 8 | (part <= carried ? UInt32(source[place - part]) : 0)
    }
    return Int32(bitPattern: whole)
  }

  private func toNumbers(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count { put(value(source, sample: sample).bitPattern, at: sample, bytes) }
  }

  /// What is no number is silence: other programs choke on it.
  private func copyNumbers(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for sample in 0..<count {
      let value = source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
      put(value.isFinite ? value.bitPattern : 0, at: sample, bytes)
    }
  }

  private func put(
    _ bits: UInt32, at sample: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    for part in 0..<4 {
      bytes[4 * sample + part] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * part))
    }
  }

  /// Numbers beyond full scale are held at it, and what is no number is silence.
  private func round(
    _ source: UnsafeRawBufferPointer, count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    let width = encoding.bytes
    let scale = Double(Int64(1) << Int64(encoding.bits - 1))
    for sample in 0..<count {
      let value = source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
      let scaled = value.isFinite ? (Double(value) * scale).rounded() : 0
      let whole = Int64(max(-scale, min(scale - 1, scaled)))
      for part in 0..<width {
        bytes[width * sample + part] = UInt8(truncatingIfNeeded: whole >> Int64(8 * part))
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
