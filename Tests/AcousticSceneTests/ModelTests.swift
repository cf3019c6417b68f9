import AcousticScene
import TestLanes
import Testing
import Units

@Suite("Models of clocks and crystals", .computing)
struct ModelTests {
  static let origin = TrueInstant(nanoseconds: 5_000_000_000_000)

  @Test("a skewed clock reads its offset, its rate and its swing")
  func skewedClock() {
    let model = SkewedClockModel(
      origin: Self.origin, partsPerMillion: 20, wanderNanoseconds: 2_000, wanderPeriodSeconds: 30,
      rawOffsetNanoseconds: 7_200_000_000_000)
    #expect(model.host(at: Self.origin).nanoseconds == 12_200_000_000_000)
    let quarter = Self.origin.advanced(bySeconds: 7.5)
    // 7.5 s at 20 ppm is 150 us; a quarter of the swing is 2 us.
    #expect(model.host(at: quarter).nanoseconds == 12_207_500_152_000)
  }

  @Test("a skewed clock is read backwards to the nanosecond", arguments: [3, 4, 5] as [UInt64])
  func skewedClockInverse(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let model = SkewedClockModel(
      origin: Self.origin, partsPerMillion: -35, wanderNanoseconds: 50_000,
      wanderPeriodSeconds: 12, rawOffsetNanoseconds: -3_600_000_000_000)
    for _ in 0..<1_000 {
      let instant = Self.origin.advanced(bySeconds: 10_000 * generator.nextUnit() - 100)
      let back = model.instant(at: model.host(at: instant))
      #expect((back.nanoseconds - instant.nanoseconds).magnitude <= 1, "seed \(seed)")
    }
  }

  @Test("a crystal counts its rate, and its swing comes and goes")
  func crystal() {
    let model = CrystalModel(
      origin: Self.origin, rateHertz: 48_000, partsPerMillion: 37.5, wanderPartsPerMillion: 1,
      wanderPeriodSeconds: 40)
    // After whole swings the wander has cancelled out.
    #expect(abs(model.count(afterSeconds: 80) - 48_000 * 80 * (1 + 37.5e-6)) < 1e-6)
    // After half a swing it has gained wander · P / π.
    let half = model.count(afterSeconds: 20) - 48_000 * 20 * (1 + 37.5e-6)
    #expect(abs(half - 48_000 * 1e-6 * 40 / Double.pi) < 1e-6)
    let end = Self.origin.advanced(bySeconds: 40)
    #expect(abs(model.meanPartsPerMillion(from: Self.origin, to: end) - 37.5) < 1e-4)
  }

  @Test("when a count is reached is known to a thousandth of a nanosecond")
  func crystalInverse() {
    let model = CrystalModel(
      origin: Self.origin, rateHertz: 48_000, partsPerMillion: -62.25, wanderPartsPerMillion: 2,
      wanderPeriodSeconds: 17)
    for count in stride(from: 0.0, to: 10_000_000, by: 123_457) {
      let seconds = model.seconds(untilCount: count)
      #expect(abs(model.count(afterSeconds: seconds) - count) < 48_000 * 1e-12 * 200)
    }
  }
}
