internal import ALSA
internal import Recording

/// From a card's native samples to the file's 24 bits, and to levels.
struct SampleConversion: Sendable {
  let format: PCMFormat

  /// Writes `count` samples as 24 bits, low byte first.
  func convert(_ source: UnsafeRawBufferPointer, count: Int, to target: inout [UInt8]) {
    target.removeAll(keepingCapacity: true)
    target.reserveCapacity(count * 3)
    switch format {
    case .s24Packed: target.append(contentsOf: source.prefix(count * 3))
    case .s32:
      eachFour(source, count) { _, low, middle, high in
        target.append(contentsOf: [low, middle, high])
      }
    case .s24:
      eachFour(source, count) { low, middle, high, _ in
        target.append(contentsOf: [low, middle, high])
      }
    case .s16:
      for sample in 0..<count {
        target.append(contentsOf: [0, source[2 * sample], source[2 * sample + 1]])
      }
    case .float:
      for sample in 0..<count {
        let value = source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
        let finite = value.isFinite ? max(-1, min(1, value)) : 0
        let whole = Int32((Double(finite) * 8_388_607).rounded())
        target.append(
          contentsOf: [0, 8, 16].map { UInt8(truncatingIfNeeded: whole >> Int32($0)) })
      }
    }
  }

  private func eachFour(
    _ source: UnsafeRawBufferPointer, _ count: Int,
    _ body: (UInt8, UInt8, UInt8, UInt8) -> Void
  ) {
    for sample in 0..<count {
      let at = 4 * sample
      body(source[at], source[at + 1], source[at + 2], source[at + 3])
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
