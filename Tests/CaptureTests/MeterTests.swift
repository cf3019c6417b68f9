import ALSA
import Realtime
import Recording
import TestLanes
import Testing
import Units

@testable import CaptureEngine

@Suite("Meters", .computing)
struct MeterTests {
  private func meters(_ format: PCMFormat, _ source: [UInt8], channels: Int = 1) -> [LevelMeter] {
    let bank = MeterBank(format: format, channels: channels)
    source.withUnsafeBytes { bank.add($0) }
    #expect(bank.frames == source.count / (format.bytes * channels))
    return bank.meters
  }

  private func number(_ value: Float) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  private func bytes(_ value: Int32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  @Test("a meter sees the same of every format")
  func formats() {
    let halves: [(PCMFormat, [UInt8])] = [
      (.s32, [0, 0, 0, 0xC0]), (.s24Packed, [0, 0, 0xC0]), (.s24, [0, 0, 0xC0, 0]),
      (.s16, [0, 0xC0]), (.float, number(-0.5)),
    ]
    for (format, sample) in halves {
      let meter = meters(format, sample)[0]
      #expect(meter.peak == 0.5 && meter.rms == 0.5 && meter.clipped == 0, "\(format)")
    }
  }

  @Test("channels are measured apart, over many stretches, to the last sample")
  func apart() {
    // Three channels: silence, a square wave of a quarter, one sample at full scale.
    var source: [UInt8] = []
    for frame in 0..<5000 {
      source += bytes(0) + bytes(frame % 2 == 0 ? Int32(1 << 29) : -(1 << 29))
      source += bytes(frame == 4999 ? Int32.min : 0)
    }
    let heard = meters(.s32, source, channels: 3)
    #expect(heard.map(\.peak) == [0, 0.25, 1])
    #expect(heard[0].rms == 0 && abs(heard[1].rms - 0.25) < 1e-6)
    #expect(abs(heard[2].rms - 0.014_142) < 1e-5)
    #expect(heard.map(\.clipped) == [0, 0, 1])
  }

  /// A sample of a card as a part of full scale.
  private func number(_ format: PCMFormat, _ bytes: ArraySlice<UInt8>) -> Float {
    let bits = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return switch format {
    case .s32: Float(Int32(bitPattern: bits)) / 2_147_483_648
    case .s24, .s24Packed: Float(Int32(bitPattern: bits << 8)) / 2_147_483_648
    case .s16: Float(Int16(truncatingIfNeeded: bits)) / 32_768
    case .float: Float(bitPattern: bits)
    }
  }

  @Test("many samples at a time are what one at a time is, in rows of every width")
  func rows() {
    var generator = SystemRandomNumberGenerator()
    for format in [PCMFormat.s32, .s24, .s24Packed, .s16, .float] {
      for channels in [1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 48, 63, 64] {
        let frames = 700 + channels
        var source: [UInt8] = []
        for _ in 0..<frames * channels {
          let sample = Float.random(in: -1...1, using: &generator)
          source +=
            format == .float
            ? number(sample)
            : Array(
              bytes(Int32(sample * 2_000_000_000)).suffix(format.bytes == 4 ? 4 : format.bytes))
        }
        var wanted = [(peak: Float, energy: Double)](repeating: (0, 0), count: channels)
        for place in 0..<frames * channels {
          let from = place * format.bytes
          let value = number(format, source[from..<from + format.bytes])
          wanted[place % channels].peak = max(wanted[place % channels].peak, abs(value))
          wanted[place % channels].energy += Double(value) * Double(value)
        }
        let heard = meters(format, source, channels: channels)
        for (meter, wanted) in zip(heard, wanted) {
          #expect(meter.peak == wanted.peak, "\(format), \(channels) channels")
          let rms = Float((wanted.energy / Double(frames)).squareRoot())
          #expect(abs(meter.rms - rms) < 1e-5, "\(format), \(channels) channels")
        }
      }
    }
  }

  @Test("full scale is clipped in every format, one step below is not")
  func clipped() {
    #expect(meters(.s16, [0xFF, 0x7F, 0xFE, 0x7F, 0, 0x80])[0].clipped == 2)
    #expect(meters(.s24Packed, [0xFF, 0xFF, 0x7F, 0xFD, 0xFF, 0x7F, 0, 0, 0x80])[0].clipped == 2)
    #expect(meters(.float, number(1) + number(0.9999) + number(-1.5))[0].clipped == 2)
  }

  private func shape(kept: [Int]) -> CardShape {
    CardShape(
      name: "card", pcm: "hw:0", format: .s16, rate: SampleRate(hertz: 8000), cardChannels: 2,
      kept: kept, significantBits: 16)
  }

  private func put(_ frames: [[Int16]], into ring: FrameRing) {
    for frame in frames {
      let (start, _) = ring.claim(1)
      for (channel, sample) in frame.enumerated() {
        start.storeBytes(of: sample.littleEndian, toByteOffset: 2 * channel, as: Int16.self)
      }
      ring.publish(1)
    }
  }

  @Test("every tenth of a second has its levels; what was clipped stays so until armed again")
  func latch() throws {
    let ring = FrameRing(capacity: 16_000, bytesPerFrame: 4)
    var watch = LevelWatch(shape: shape(kept: [1]))
    put([[Int16]](repeating: [32_767, 16_384], count: 799), into: ring)
    #expect(watch.look(at: ring) == nil)
    put([[0, -32_768]], into: ring)
    let loudHeard = watch.look(at: ring)
    let loud = try #require(loudHeard)
    #expect(loud.peak == [0] && loud.rms == [-6] && loud.clipped == [1])
    // Only the channel that is recorded counts.
    #expect(watch.clipped == 1)
    put([[Int16]](repeating: [0, 0], count: 800), into: ring)
    let quietHeard = watch.look(at: ring)
    let quiet = try #require(quietHeard)
    #expect(quiet.peak == [nil] && quiet.clipped == [1] && quiet.silentSeconds == [0.1])
    watch.reset()
    put([[Int16]](repeating: [0, 3], count: 800), into: ring)
    let againHeard = watch.look(at: ring)
    let again = try #require(againHeard)
    #expect(again.clipped == [0] && again.silentSeconds == [0.1])
    #expect(watch.clipped == 0 && watch.silentChannels == [])
  }

  @Test("ten seconds without a sound are worth a word, and a sound ends them")
  func silence() {
    let ring = FrameRing(capacity: 16_000, bytesPerFrame: 4)
    var watch = LevelWatch(shape: shape(kept: [0, 1]))
    let tenth = [[Int16]](repeating: [3, 4], count: 800)
    for turn in 1...100 {
      put(tenth, into: ring)
      _ = watch.look(at: ring)
      // 3 is −80.8 dB of full scale, 4 is −78.3.
      #expect(watch.silentChannels == (turn < 100 ? [] : [1]))
    }
    put([[Int16]](repeating: [4, 4], count: 800), into: ring)
    _ = watch.look(at: ring)
    #expect(watch.silentChannels == [])
  }
}
