import ALSA
import BroadcastWave
import TestLanes
import Testing

@testable import CaptureEngine

@Suite("Conversion of samples", .computing)
struct ConversionTests {
  private func converted(
    _ format: PCMFormat, _ source: [UInt8], channels: Int = 1, kept: [Int]? = nil,
    to encoding: SampleEncoding = .integer(bits: 24)
  ) -> [UInt8] {
    let conversion = SampleConversion(
      format: format, channels: channels, kept: kept, encoding: encoding)
    let frames = source.count / (format.bytes * channels)
    var target = [UInt8](repeating: 0xEE, count: frames * conversion.bytesPerFrame + 1)
    let used = source.withUnsafeBytes { from in
      target.withUnsafeMutableBytes { to in
        to.baseAddress.map { conversion.convert(from, to: $0) } ?? 0
      }
    }
    #expect(used == target.count - 1 && target.last == 0xEE)
    return target.dropLast()
  }

  private func bytes(_ value: Float) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  @Test("32 bits give their upper 24, 24 bits come as they are, 16 bits are widened")
  func integers() {
    #expect(converted(.s32, [0xFF, 1, 2, 0x83, 9, 4, 5, 6]) == [1, 2, 0x83, 4, 5, 6])
    #expect(converted(.s24Packed, [1, 2, 0x83, 4, 5, 6]) == [1, 2, 0x83, 4, 5, 6])
    #expect(converted(.s24, [1, 2, 0x83, 0xFF, 4, 5, 6, 0]) == [1, 2, 0x83, 4, 5, 6])
    #expect(converted(.s16, [0x34, 0x12, 0, 0x80]) == [0, 0x34, 0x12, 0, 0, 0x80])
  }

  @Test("the way in bulk gives what one sample at a time gives, whatever the number of samples")
  func bulk() {
    var generator = SystemRandomNumberGenerator()
    for format in [PCMFormat.s32, .s24] {
      for count in 1...37 {
        let source = (0..<4 * count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let from = format == .s32 ? 1 : 0
        let wanted = (0..<count).flatMap { source[4 * $0 + from..<4 * $0 + from + 3] }
        #expect(converted(format, source) == wanted, "\(format), \(source)")
      }
    }
  }

  @Test("channels that are not recorded are left out, in the order that was asked for")
  func selection() {
    let frames: [UInt8] = [0, 1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 0, 4, 4, 4, 0, 5, 5, 5, 0, 6, 6, 6]
    #expect(
      converted(.s32, frames, channels: 3, kept: [2, 0]) == [3, 3, 3, 1, 1, 1, 6, 6, 6, 4, 4, 4])
    #expect(
      converted(.s16, [1, 2, 3, 4, 5, 6, 7, 8], channels: 2, kept: [1]) == [0, 3, 4, 0, 7, 8])
    let packed: [UInt8] = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    #expect(converted(.s24Packed, packed, channels: 2, kept: [1]) == [2, 2, 2, 4, 4, 4])
    // All channels in their order is no selection.
    #expect(converted(.s24Packed, packed, channels: 2, kept: [0, 1]) == packed)
  }

  private func converted(
    _ format: PCMFormat, _ source: [UInt8], to encoding: SampleEncoding
  ) -> [UInt8] {
    let conversion = SampleConversion(format: format, channels: 1, encoding: encoding)
    var target = [UInt8](
      repeating: 0, count: source.count / format.bytes * conversion.bytesPerFrame)
    source.withUnsafeBytes { from in
      target.withUnsafeMutableBytes { to in
        _ = to.baseAddress.map { conversion.convert(from, to: $0) }
      }
    }
    return target
  }

  @Test("files of other widths: fewer bits are rounded, more are filled with zeros")
  func encodings() {
    #expect(converted(.s32, [1, 2, 3, 4], to: .integer(bits: 32)) == [1, 2, 3, 4])
    #expect(converted(.s24Packed, [2, 3, 4], to: .integer(bits: 32)) == [0, 2, 3, 4])
    #expect(converted(.s24, [2, 3, 0x84, 0xFF], to: .integer(bits: 32)) == [0, 2, 3, 0x84])
    #expect(converted(.s16, [3, 0x84], to: .integer(bits: 32)) == [0, 0, 3, 0x84])
    #expect(converted(.s16, [3, 0x84], to: .integer(bits: 16)) == [3, 0x84])
    #expect(converted(.s32, [0, 0x80, 3, 4], to: .integer(bits: 16)) == [4, 4])
    #expect(converted(.s32, [0xFF, 0x7F, 3, 4], to: .integer(bits: 16)) == [3, 4])
    #expect(converted(.s24, [0xFF, 0xFF, 0x7F, 0], to: .integer(bits: 16)) == [0xFF, 0x7F])
    #expect(converted(.s16, [0, 0xC0], to: .float32) == bytes(-0.5))
    #expect(converted(.float, bytes(1.5) + bytes(.infinity), to: .float32) == bytes(1.5) + bytes(0))
    #expect(converted(.float, bytes(-2), to: .integer(bits: 32)) == [0, 0, 0, 0x80])
    #expect(converted(.float, bytes(0.5), to: .integer(bits: 16)) == [0, 0x40])
  }

  @Test("floating point is rounded, held at full scale, and silent where it is no number")
  func floats() {
    #expect(converted(.float, bytes(0.5)) == [0, 0, 0x40])
    #expect(converted(.float, bytes(-1)) == [0, 0, 0x80])
    #expect(converted(.float, bytes(1)) == [0xFF, 0xFF, 0x7F])
    #expect(converted(.float, bytes(7)) == [0xFF, 0xFF, 0x7F])
    #expect(converted(.float, bytes(-7)) == [0, 0, 0x80])
    #expect(converted(.float, bytes(.nan)) == [0, 0, 0])
    // The least step that 24 bits have.
    #expect(converted(.float, bytes(1.0 / 8_388_608)) == [1, 0, 0])
  }
}
