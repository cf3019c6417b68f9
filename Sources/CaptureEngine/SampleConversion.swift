internal import ALSA
internal import BroadcastWave
internal import CSamples

/// From a card's native samples to the file's, low byte first.
///
/// Integers of the same width, or of a wider one, are the card's own bits; of 24 they are the upper
/// ones. 16 bits of more are rounded.
struct SampleConversion: Sendable {
  private let format: PCMFormat
  private let encoding: SampleEncoding
  /// The samples of a frame of the card.
  private let channels: Int
  /// Which of them are kept, counted from 0; nothing: all.
  private let kept: [Int]?

  /// Converts frames of `channels` samples, of which those of `kept` are kept, in that order.
  init(
    format: PCMFormat, channels: Int, kept: [Int]? = nil,
    encoding: SampleEncoding = .integer(bits: 24)
  ) {
    precondition(kept?.allSatisfy { (0..<channels).contains($0) } ?? true, "a card's own channels")
    self.format = format
    self.encoding = encoding
    self.channels = channels
    self.kept = kept == Array(0..<channels) ? nil : kept
  }

  /// The bytes of a converted frame.
  var bytesPerFrame: Int { encoding.bytes * (kept?.count ?? channels) }

  /// Writes what the whole frames of `source` hold to `target`; how many bytes that takes.
  func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
    let frames = source.count / (format.bytes * channels)
    guard let start = source.baseAddress else { return 0 }
    let count = frames * channels
    switch (kept == nil, format, encoding) {
    case (true, .s24Packed, .integer(24)), (true, .s32, .integer(32)), (true, .s16, .integer(16)):
      target.copyMemory(from: start, byteCount: format.bytes * count)
    case (true, .s32, .integer(24)): samples_pack24(start, count, 8, target)
    case (true, .s24, .integer(24)): samples_pack24(start, count, 0, target)
    default: each(start, frames: frames, to: target)
    }
    return frames * bytesPerFrame
  }

  private func each(_ source: UnsafeRawPointer, frames: Int, to target: UnsafeMutableRawPointer) {
    let kept = kept ?? Array(0..<channels)
    var place = target
    for frame in 0..<frames {
      for channel in kept {
        let from = source + format.bytes * (frame * channels + channel)
        if format == .float {
          storeNumber(from.loadUnaligned(as: Float.self), to: place)
        } else {
          storeWhole(whole(from), to: place)
        }
        place += encoding.bytes
      }
    }
  }

  /// A sample of integers as 32 bits of full scale.
  private func whole(_ source: UnsafeRawPointer) -> Int32 {
    switch format {
    case .s32, .float: source.loadUnaligned(as: Int32.self)
    case .s24: source.loadUnaligned(as: Int32.self) << 8
    case .s16: Int32(source.loadUnaligned(as: Int16.self)) << 16
    case .s24Packed:
      Int32(source.loadUnaligned(as: UInt16.self)) << 8
        | Int32(source.load(fromByteOffset: 2, as: Int8.self)) << 24
    }
  }

  private func storeWhole(_ value: Int32, to target: UnsafeMutableRawPointer) {
    switch encoding {
    case .integer(16):
      let rounded = format == .s16 ? value >> 16 : Int32(min(32_767, (Int64(value) + 0x8000) >> 16))
      target.storeBytes(of: Int16(truncatingIfNeeded: rounded), as: Int16.self)
    case .integer(24): Self.store24(UInt32(bitPattern: value) >> 8, to: target)
    case .integer: target.storeBytes(of: value, as: Int32.self)
    case .float32: target.storeBytes(of: Float(value) / 2_147_483_648, as: Float.self)
    }
  }

  /// Numbers beyond full scale are held at it where the file has integers, and what is no number is
  /// silence: other programs choke on it.
  private func storeNumber(_ value: Float, to target: UnsafeMutableRawPointer) {
    let number = value.isFinite ? value : 0
    if case .float32 = encoding { return target.storeBytes(of: number, as: Float.self) }
    let scale = Double(Int64(1) << Int64(encoding.bits - 1))
    let whole = Int32(max(-scale, min(scale - 1, (Double(number) * scale).rounded())))
    switch encoding {
    case .integer(16): target.storeBytes(of: Int16(whole), as: Int16.self)
    case .integer(24): Self.store24(UInt32(bitPattern: whole), to: target)
    case .integer, .float32: target.storeBytes(of: whole, as: Int32.self)
    }
  }

  private static func store24(_ value: UInt32, to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
    target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
  }
}
