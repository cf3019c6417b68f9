package import AcousticScene
internal import Units

/// The hosts of a demo and what is true of them, which all follows from a seed and one instant.
package struct StagePlan: Sendable {
  /// The cards' nominal rate.
  package static let rateHertz = 48_000

  /// When the scene's first sample sounds; the origin of clocks and crystals too.
  package let origin: TrueInstant
  package let hosts: [HostTruth]

  /// Makes a plan of its parts.
  package init(origin: TrueInstant, hosts: [HostTruth]) {
    self.origin = origin
    self.hosts = hosts
  }

  /// Makes the plan that `seed` names, of `count` hosts.
  ///
  /// The first three have crystals at 0, +37.5 and -62.25 ppm and clocks at 0, +20 and -35 ppm;
  /// the others' are drawn. All wander, all lie hours apart, each stands some 1.7 m further off.
  package init(seed: UInt64, count: Int, origin: TrueInstant) {
    var generator = SeededGenerator(seed: seed)
    self.origin = origin
    hosts = (0..<count).map { Self.host($0, origin: origin, generator: &generator) }
  }

  private static func host(
    _ place: Int, origin: TrueInstant, generator: inout SeededGenerator
  ) -> HostTruth {
    let crystals = [0, 37.5, -62.25]
    let clocks = [0.0, 20, -35]
    func drawn(_ width: Double) -> Double { (2 * generator.nextUnit() - 1) * width }
    let spareCrystal = drawn(80)
    let spareClock = drawn(40)
    // Forwards only, since a reading before the boot would be below 0.
    let rawOffset = Double(place) * 11_000 + abs(drawn(1_800))
    let realtimeOffset = Double(place) * -8_000 + drawn(1_800)
    let clock = SkewedClockModel(
      origin: origin, partsPerMillion: place < 3 ? clocks[place] : spareClock,
      wanderNanoseconds: 2_000 + abs(drawn(1_500)), wanderPeriodSeconds: 25 + abs(drawn(15)),
      rawOffsetNanoseconds: Int64(rawOffset * 1e9),
      realtimeOffsetNanoseconds: Int64(realtimeOffset * 1e9))
    let crystal = CrystalModel(
      origin: origin, rateHertz: Double(rateHertz),
      partsPerMillion: place < 3 ? crystals[place] : spareCrystal,
      wanderPartsPerMillion: 0.2 + abs(drawn(0.3)), wanderPeriodSeconds: 40 + abs(drawn(20)))
    let metres = 1 + 1.7 * Double(place) + drawn(0.3)
    return HostTruth(
      label: "rec-" + String(UnicodeScalar(UInt8(97 + place))), clock: clock, crystal: crystal,
      delaySeconds: metres / 343, noiseDbfs: -80 + abs(drawn(10)), noiseSeed: generator.next() >> 1,
      format: place % 2 == 0 ? "S24_3LE" : "S32_LE")
  }
}
