import Glibc
import Resampling
import TestLanes
import Testing

@Suite("Rendering along a curve", .computing)
struct CurvedResamplerTests {
  @Test("tones along a changing rate are exact to within -150 dB", arguments: [1, 2])
  func tones(channels: Int) {
    let frequencies = [997.0, 9001, 18_500]
    func tone(_ frame: Double) -> Double {
      frequencies.reduce(0) { $0 + 0.3 * sin(2 * .pi * $1 * frame / 48_000) }
    }
    let knots = [
      CurvedResampler.Knot(output: 0, input: 3000.25),
      CurvedResampler.Knot(output: 3000, input: 6000.55),
      CurvedResampler.Knot(output: 6000, input: 9000.15),
    ]
    var resampler = CurvedResampler(channels: channels, knots: knots, count: 6000)
    var output: [Double] = []
    var fed = 0
    while !resampler.isComplete {
      let block = resampler.output(limit: 1000)
      output += block
      if block.isEmpty {
        resampler.feed(
          (fed..<fed + 2500).flatMap { frame in
            (0..<channels).map { tone(Double(frame)) * ($0 == 0 ? 1 : -1) }
          })
        fed += 2500
      }
    }
    #expect(output.count == 6000 * channels)
    var worst = 0.0
    for frame in 0..<6000 {
      let rate = frame < 3000 ? 3000.3 / 3000 : 2999.6 / 3000
      let from = frame < 3000 ? (0.0, 3000.25) : (3000, 6000.55)
      let place = from.1 + (Double(frame) - from.0) * rate
      worst = max(worst, abs(output[frame * channels] - tone(place)))
      if channels == 2 { worst = max(worst, abs(output[frame * 2 + 1] + tone(place))) }
    }
    #expect(20 * log10(worst / 0.9) < -150, "\(20 * log10(worst / 0.9)) dB")
  }

  @Test("before the first and behind the last frame there is silence, in pieces of any size")
  func ends() {
    let knots = [
      CurvedResampler.Knot(output: 0, input: -5000), CurvedResampler.Knot(output: 1, input: -4999),
    ]
    var whole: [[Double]] = []
    for limit in [1, 700, 100_000] {
      var resampler = CurvedResampler(channels: 1, knots: knots, count: 9000)
      var output: [Double] = []
      var isFed = false
      while !resampler.isComplete {
        let block = resampler.output(limit: limit)
        output += block
        if block.isEmpty {
          resampler.feed(isFed ? [] : [Double](repeating: 0.5, count: 2000))
          isFed = true
        }
      }
      whole.append(output)
    }
    for other in whole[1...] {
      #expect(other.count == 9000 && whole[0].count == 9000)
      #expect(zip(whole[0], other).allSatisfy { abs($0 - $1) < 1e-12 })
    }
    #expect(whole[0][..<4800].allSatisfy { $0 == 0 } && whole[0][7300...].allSatisfy { $0 == 0 })
    #expect(abs(whole[0][6000] - 0.5) < 1e-6)
  }
}
