import Glibc
import Resampling
import TestLanes
import Testing

@Suite("Sound on a timeline", .computing)
struct TimelineResamplerTests {
  /// A case: where the output begins, and the input frames to one of it.
  struct Case: CustomTestStringConvertible {
    let start: Double
    let step: Double
    var testDescription: String { "start \(start), step \(step)" }
  }

  static let cases = [
    Case(start: 0.3712, step: 1 + 37.5e-6), Case(start: -0.4999, step: 1 - 62.25e-6),
    Case(start: 0.5, step: 1 + 1e-9), Case(start: 0, step: 1 + 100e-6),
    Case(start: 5000.123_456, step: 1 - 3e-6), Case(start: 0.25, step: 44_100 / 48_000),
    Case(start: -70_000.75, step: 1 + 20e-6),
  ]

  /// Three tones within the band that the resampler keeps, of the phase that position gives.
  static func tones(at position: Double) -> Double {
    0.3 * sin(0.0131 * position) + 0.3 * sin(0.731 * position + 1)
      + 0.2 * sin(2.4 * position + 2)
  }

  /// What the resampler makes of 131 072 frames of the tones, fed in blocks.
  static func render(_ place: Case, count: Int64) throws -> [Double] {
    var resampler = try TimelineResampler(
      channels: 1, start: place.start, step: place.step, count: count)
    var output: [Double] = []
    while let silence = resampler.openingSilence() { output += silence }
    for block in 0..<32 {
      output += try resampler.process((0..<4096).map { tones(at: Double(block * 4096 + $0)) })
    }
    output += try resampler.finish()
    while let silence = resampler.closingSilence() { output += silence }
    return output
  }

  @Test("tones come out within −160 dB of what they are at each exact position", arguments: cases)
  func exact(place: Case) throws {
    let count: Int64 = 100_000
    let output = try Self.render(place, count: count)
    #expect(output.count == Int(count))
    var worst = 0.0
    for frame in 0..<Int(count) {
      let position = place.start + Double(frame) * place.step
      // The stream's two ends are steps, which no band-limited filter follows.
      if position < 2000 || position > 131_072 - 2000 { continue }
      worst = max(worst, abs(output[frame] - Self.tones(at: position)))
    }
    #expect(worst < 1e-8, "\(20 * log10(worst)) dB")
  }

  @Test("the delay against exact truth is under a hundredth of a sample", arguments: cases)
  func delay(place: Case) throws {
    let output = try Self.render(place, count: 100_000)
    // The phase of the middle tone, by its two quadratures over the settled stretch.
    var (inPhase, quadrature) = (0.0, 0.0)
    for frame in 80_000..<95_000 {
      let position = place.start + Double(frame) * place.step
      let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame - 80_000) / 15_000)
      inPhase += window * output[frame] * sin(0.731 * position + 1)
      quadrature += window * output[frame] * cos(0.731 * position + 1)
    }
    #expect(abs(atan2(quadrature, inPhase) / 0.731) < 1e-5)
  }

  @Test("silence stands where there is no input, before and behind")
  func silence() throws {
    let output = try Self.render(Case(start: -70_000.75, step: 1), count: 300_000)
    #expect(output.count == 300_000)
    #expect(output[..<60_000].allSatisfy { $0 == 0 })
    #expect(output[210_000...].allSatisfy { $0 == 0 })
    #expect(output[100_000] != 0)
  }

  @Test("channels stay apart")
  func channels() throws {
    var resampler = try TimelineResampler(channels: 2, start: 0.4, step: 1 + 5e-5, count: 20_000)
    let input: [Double] = (0..<40_000).flatMap { frame -> [Double] in
      [Self.tones(at: Double(frame)), 0]
    }
    var output = try resampler.process(input)
    if !resampler.isComplete { output += try resampler.finish() }
    #expect(output.count == 40_000)
    #expect(stride(from: 1, to: output.count, by: 2).allSatisfy { output[$0] == 0 })
    #expect(abs(output[2 * 10_000] - Self.tones(at: 0.4 + 10_000 * (1 + 5e-5))) < 1e-8)
  }
}
