import ALSA
import TestLanes
import Testing

@testable import CaptureEngine

@Suite("Conversion to 24 bits", .computing)
struct ConversionTests {
  private func converted(_ format: PCMFormat, _ source: [UInt8]) -> [UInt8] {
    var target: [UInt8] = []
    source.withUnsafeBytes {
      SampleConversion(format: format).convert(
        $0, count: source.count / format.bytes, to: &target)
    }
    return target
  }

  private func value(_ format: PCMFormat, _ source: [UInt8]) -> Float {
    source.withUnsafeBytes { SampleConversion(format: format).value($0, sample: 0) }
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

  @Test("a meter sees the same of every format")
  func values() {
    #expect(value(.s32, [0, 0, 0, 0xC0]) == -0.5)
    #expect(value(.s24Packed, [0, 0, 0xC0]) == -0.5)
    #expect(value(.s24, [0, 0, 0xC0, 0]) == -0.5)
    #expect(value(.s16, [0, 0xC0]) == -0.5)
    #expect(value(.float, bytes(-0.5)) == -0.5)
  }
}
