import Alignment
import TestLanes
import Testing
import Units

@Suite("Fitting a file to shared time", .computing)
struct TimelineFitTests {
  static let rate = SampleRate(hertz: 48_000)
  static let base = SharedInstant.sessionStart + .seconds(1000)

  /// Observations of a card `ppm` fast whose first frame was taken `offset` ns after the base, one
  /// a second, each off by noise within its bound.
  static func observations(
    seconds: Int, offset: Double, ppm: Double, noise: Double, seed: UInt64, wild: Int = 0
  ) -> [TimingObservation] {
    var generator = SeededGenerator(seed: seed)
    let wildPlaces = Set((0..<wild).map { 2 + $0 * seconds / max(1, wild) })
    return (0...seconds).map { second in
      let frame = Int64(second * 48_000)
      var shared = offset + Double(frame) / (48_000 * (1 + ppm * 1e-6)) * 1e9
      shared += (generator.nextUnit() * 2 - 1) * noise
      if wildPlaces.contains(second) { shared += 400_000 }
      return TimingObservation(
        frame: frame, shared: base + .nanoseconds(Int64(shared.rounded())),
        jitterBoundNanoseconds: Int64(noise) + 1, pathLimitNanoseconds: 40_000)
    }
  }

  @Test(
    "offset and rate come out within the budget: 0.1 sample and 1 ppm in 10 s of 5 us noise",
    arguments: 1...20 as ClosedRange<UInt64>)
  func budget(seed: UInt64) throws {
    let (offset, ppm) = (-8321.0, -62.25)
    let fit = try TimelineFit(
      observations: Self.observations(
        seconds: 10, offset: offset, ppm: ppm, noise: 5000, seed: seed),
      sampleRate: Self.rate, loggedRate: .zero)
    #expect(abs(fit.rate.partsPerMillion - ppm) < 1, "seed \(seed)")
    for frame in [0.0, 240_000, 480_000] {
      let truth = offset + frame / (48_000 * (1 + ppm * 1e-6)) * 1e9
      let error = abs(fit.nanoseconds(ofFrame: frame, since: Self.base) - truth)
      #expect(error < 5000, "seed \(seed), frame \(frame)")
      #expect(error < fit.jitterBoundNanoseconds, "seed \(seed), frame \(frame)")
    }
    #expect(fit.jitterBoundNanoseconds < 15_000, "seed \(seed)")
    #expect(fit.pathLimitNanoseconds == 40_000)
  }

  @Test("an hour's rate comes out to a thousandth of a ppm")
  func hour() throws {
    let fit = try TimelineFit(
      observations: Self.observations(
        seconds: 3600, offset: 0, ppm: 37.5, noise: 5000, seed: 3),
      sampleRate: Self.rate, loggedRate: .zero)
    #expect(abs(fit.rate.partsPerMillion - 37.5) < 0.001)
    #expect(abs(fit.nanoseconds(ofFrame: 0, since: Self.base)) < 400)
  }

  @Test("a few wild observations do not lead it astray")
  func wild() throws {
    let fit = try TimelineFit(
      observations: Self.observations(
        seconds: 40, offset: 100, ppm: 20, noise: 2000, seed: 5, wild: 6),
      sampleRate: Self.rate, loggedRate: .zero)
    #expect(abs(fit.rate.partsPerMillion - 20) < 0.2)
    #expect(abs(fit.nanoseconds(ofFrame: 0, since: Self.base) - 100) < 3000)
    // They contradict the others, so what is left open is at least how far they lie off.
    #expect(fit.jitterBoundNanoseconds > 390_000)
  }

  @Test("under two seconds the recorder's own rate holds")
  func short() throws {
    let fit = try TimelineFit(
      observations: Self.observations(seconds: 1, offset: 0, ppm: 50, noise: 9000, seed: 2),
      sampleRate: Self.rate, loggedRate: ClockRate(partsPerMillion: 50))
    #expect(abs(fit.rate.partsPerMillion - 50) < 1e-6)
    let one = try TimelineFit(
      observations: [Self.observations(seconds: 0, offset: 7, ppm: 0, noise: 0, seed: 1)[0]],
      sampleRate: Self.rate, loggedRate: .zero)
    #expect(abs(one.nanoseconds(ofFrame: 0, since: Self.base) - 7) < 1e-6)
  }

  @Test("frames and times lead back to each other")
  func inverse() throws {
    let fit = try TimelineFit(
      observations: Self.observations(seconds: 20, offset: 55, ppm: -80, noise: 100, seed: 9),
      sampleRate: Self.rate, loggedRate: .zero)
    for frame in [-5.25, 0, 0.5, 1_000_000.125] {
      let time = fit.nanoseconds(ofFrame: frame, since: Self.base)
      #expect(abs(fit.frame(atNanoseconds: time, since: Self.base) - frame) < 1e-6)
    }
  }

  @Test("what gives no place is refused")
  func refusals() throws {
    #expect(throws: TimelineFitError.nothingObserved) {
      try TimelineFit(observations: [], sampleRate: Self.rate, loggedRate: .zero)
    }
    var backwards = Self.observations(seconds: 10, offset: 0, ppm: 0, noise: 0, seed: 1)
    backwards.swapAt(3, 7)
    #expect(throws: TimelineFitError.self) {
      try TimelineFit(observations: backwards, sampleRate: Self.rate, loggedRate: .zero)
    }
    #expect(throws: TimelineFitError.self) {
      try TimelineFit(
        observations: Self.observations(
          seconds: 10, offset: 0, ppm: 20_000, noise: 0, seed: 1),
        sampleRate: Self.rate, loggedRate: .zero)
    }
  }
}
