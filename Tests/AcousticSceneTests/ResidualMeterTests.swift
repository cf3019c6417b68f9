import AcousticScene
import TestLanes
import Testing
import Units

@Suite("The residual meter", .computing)
struct ResidualMeterTests {
  static let scene = Scene(seed: 5, seconds: 3)
  static let meter = ResidualMeter(scene: scene)

  /// The scene from `start` samples on, shifted by whole samples, so without any interpolator.
  static func excerpt(start: Int, count: Int, noise: Double = 0) -> [Double] {
    var generator = SeededGenerator(seed: 99)
    return (start..<start + count).map {
      Double(scene.samples[$0]) + noise * (generator.nextUnit() - 0.5)
    }
  }

  @Test(
    "a shift by any part of a sample is found",
    arguments: [0, 0.25, -0.4, 5, -5.5, 137.75, -480])
  func shifts(shift: Double) throws {
    let audio = Self.excerpt(start: 10_000, count: 6_144)
    let found = Self.meter.residual(of: audio, in: 0..<audio.count) {
      (10_000 + $0 + shift) / 48_000
    }
    // Expected `shift` samples later in the scene: so what came is late by as much.
    #expect(abs(try #require(found.samples) - shift) < 0.002)
    #expect(found.coherence > 0.999)
  }

  @Test("noise 20 dB under the sound costs hundredths of a sample, not more")
  func noise() throws {
    let audio = Self.excerpt(start: 30_000, count: 6_144, noise: 0.01)
    let found = Self.meter.residual(of: audio, in: 0..<audio.count) { (30_000 + $0) / 48_000 }
    #expect(abs(try #require(found.samples)) < 0.05)
  }

  @Test("sound of another place of the scene is not taken for the expected")
  func foreign() {
    let audio = Self.excerpt(start: 60_000, count: 6_144)
    let found = Self.meter.residual(of: audio, in: 0..<audio.count) { (10_000 + $0) / 48_000 }
    #expect(found.samples == nil)
    #expect(found.coherence < 0.5)
    let silence = [Double](repeating: 0, count: 4_096)
    #expect(Self.meter.residual(of: silence, in: 0..<4_096) { $0 / 48_000 }.samples == nil)
  }

  @Test("a drift shows stretch by stretch, and between two files")
  func drift() throws {
    let audio = Self.excerpt(start: 20_000, count: 40_000)
    let found = Self.meter.residuals(of: audio, stretch: 8_000) {
      (20_000 + $0 * (1 + 50e-6)) / 48_000
    }
    #expect(found.map(\.frame) == [0, 8_000, 16_000, 24_000, 32_000])
    // A loud clap early or late in the stretch pulls the mean of the drift there: 0.2 either way.
    for residual in found {
      let middle = Double(residual.frame + 4_000)
      #expect(abs(try #require(residual.samples) - 50e-6 * middle) < 0.2)
    }
    let pair = Residual.between(found, and: [Residual](repeating: found[0], count: 5))
    #expect(pair.count == 5)
    #expect(try #require(pair[0]) == 0)
    #expect(try #require(pair[4]) > 1)
  }
}
