import AcousticScene
import TestLanes
import Testing
import Units

@Suite("The skewed clock against its model", .computing)
struct SkewedClockTests {
  /// One line of the probe.
  struct Reading {
    let clock: Substring
    let raw: Int64
    let before: Int64
    let value: Int64
    let after: Int64
  }

  static let model = SkewedClockModel(
    origin: TrueInstant(nanoseconds: 1_000_000_000), partsPerMillion: -35,
    wanderNanoseconds: 40_000, wanderPeriodSeconds: 0.05, rawOffsetNanoseconds: 7_200_000_000_123,
    realtimeOffsetNanoseconds: -10_800_000_000_456)

  static func readings(of clock: String) throws -> [Reading] {
    let environment =
      model.environment.map { "\($0)=\($1)" } + [
        "LD_PRELOAD=\(Child.folder)/libCSkewedClock.so"
      ]
    let text = try Child.output(
      of: ["\(Child.folder)/ClockProbe"], environment: environment)
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 5, parts[0] == clock else { return nil }
      let numbers = parts.dropFirst().compactMap { Int64($0) }
      return Reading(
        clock: parts[0], raw: numbers[0], before: numbers[1], value: numbers[2],
        after: numbers[3])
    }
  }

  /// What the model says of REALTIME when it truly reads `real`, at about the true RAW `raw`.
  static func bentRealtime(_ real: Int64, raw: Int64) -> Int64 {
    let deviation = model.deviationNanoseconds(at: TrueInstant(nanoseconds: raw))
    return real + model.realtimeOffsetNanoseconds + Int64(deviation.rounded())
  }

  @Test("RAW reads what the model says, between the two true readings around it")
  func raw() throws {
    let readings = try Self.readings(of: "raw")
    #expect(readings.count == 40)
    for reading in readings {
      let low = Self.model.host(at: TrueInstant(nanoseconds: reading.before)).nanoseconds
      let high = Self.model.host(at: TrueInstant(nanoseconds: reading.after)).nanoseconds
      #expect(low - 1 <= reading.value && reading.value <= high + 1)
      let back = Self.model.instant(at: HostInstant(nanoseconds: reading.value)).nanoseconds
      #expect(reading.before - 1 <= back && back <= reading.after + 1)
    }
  }

  /// The wander changes by 5 ns per us, so what lies between the readings of RAW and REALTIME
  /// costs some tens of nanoseconds.
  @Test("REALTIME bends like RAW, and packets' stamps like REALTIME", arguments: ["real", "stamp"])
  func realtime(clock: String) throws {
    let readings = try Self.readings(of: clock)
    #expect(readings.count == 40)
    var calm = 0
    for reading in readings {
      let width = reading.after - reading.before
      let slack = 100 + width / 100
      let low = Self.bentRealtime(reading.before, raw: reading.raw)
      let high = Self.bentRealtime(reading.after, raw: reading.raw + width)
      #expect(low - slack <= reading.value && reading.value <= high + slack)
      if width < 100_000 { calm += 1 }
    }
    #expect(calm >= 20, "the machine is too busy to tell")
  }

  @Test("MONOTONIC is never set off by hours, so that sleeps stay sleeps")
  func monotonic() throws {
    for reading in try Self.readings(of: "mono") {
      #expect((reading.value - reading.before).magnitude < 1_000_000)
    }
  }
}
