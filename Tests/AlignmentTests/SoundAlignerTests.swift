import Alignment
import Resampling
import TestLanes
import Testing
import Units

/// Sound in memory.
struct MemorySound: SoundSource {
  var samples: [Float]
  var hertz = 48_000.0

  var frames: Int64 { Int64(samples.count) }

  func samples(at start: Int64, count: Int) throws(SoundReadError) -> [Float] {
    (start..<start + Int64(count)).map { place in
      place >= 0 && place < frames ? samples[Int(place)] : 0
    }
  }
}

/// An event that several microphones hear: bursts of noise in a small room.
struct Event {
  let sound: [Double]

  init(seconds: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var level = 0.0
    var last = 0.0
    sound = (0..<seconds * 48_000).map { place in
      if place % 4800 == 0 { level = generator.nextUnit() < 0.4 ? generator.nextUnit() : 0.02 }
      let noise = generator.nextUnit() - generator.nextUnit()
      last = 0.5 * last + noise * level
      return last * 0.3
    }
  }

  /// What a microphone records: the event from `start` on, by a crystal `ppm` fast, with the
  /// room's reflections as it hears them and noise of its own.
  func recorded(
    from start: Double, seconds: Double, ppm: Double = 0, noise: Double = 0.003, seed: UInt64
  ) throws -> [Float] {
    var generator = SeededGenerator(seed: seed)
    var answer = sound
    for _ in 0..<12 {
      let delay = 200 + Int(generator.next() % 3000)
      let gain = 0.25 * (generator.nextUnit() - 0.5)
      for place in delay..<sound.count { answer[place] += gain * sound[place - delay] }
    }
    let count = Int64(seconds * 48_000)
    var resampler = try TimelineResampler(
      channels: 1, start: start * 48_000, step: 1 / (1 + ppm * 1e-6), count: count)
    var heard: [Double] = []
    while let silence = resampler.openingSilence() { heard += silence }
    heard += try resampler.process(answer)
    heard += try resampler.finish()
    while let silence = resampler.closingSilence() { heard += silence }
    return heard.map { Float($0 + noise * (generator.nextUnit() - generator.nextUnit())) }
  }
}

@Suite("Aligning by sound", .computing)
struct SoundAlignerTests {
  private static let event = Event(seconds: 24, seed: 11)

  private func align(_ sounds: [[Float]]) throws -> SoundAlignment {
    try SoundAligner(
      sources: sounds.map { MemorySound(samples: $0) }, reference: 0, workers: OneWorker()
    ).align()
  }

  @Test("three recordings lie to a part of a sample, their rates to a part of a millionth")
  func three() throws {
    let event = Self.event
    let result = try align([
      try event.recorded(from: 6, seconds: 10, seed: 1),
      try event.recorded(from: 3.217_3, seconds: 11, ppm: 37, seed: 2).map { -$0 },
      try event.recorded(from: 7.400_123, seconds: 9, ppm: -20, noise: 0.02, seed: 3),
    ])
    let wanted = [(0.0, 0.0), (3.217_3 - 6, 37.0), (7.400_123 - 6, -20.0)]
    for (place, (offset, ppm)) in zip(result.places, wanted) {
      #expect(place.root == 0)
      let middle = place.timeline(at: 5) - (offset + 5 / (1 + ppm * 1e-6))
      #expect(abs(middle * 48_000) < 0.1, "\(middle * 48_000) samples off")
      #expect(abs(place.ppm - ppm) < 0.4, "\(place.ppm) ppm")
      #expect(place.isInverted == (ppm == 37))
    }
    #expect(result.findings.allSatisfy { $0.isFound })
    #expect(result.closures.allSatisfy { abs($0) * 48_000 < 0.3 })
  }

  @Test("lost samples are found, placed and counted to the sample")
  func lost() throws {
    let one = try Self.event.recorded(from: 2, seconds: 20, seed: 4)
    var other = try Self.event.recorded(from: 2.5, seconds: 20, ppm: 20, seed: 5)
    other.removeSubrange(432_000..<432_000 + 333)
    let result = try align([one, other])
    let place = result.places[1]
    let finding = try #require(result.findings.first?.comparison)
    #expect(finding.steps.count == 1)
    let step = try #require(finding.steps.first)
    #expect(step.cause == .lostInOther && step.samples == 333)
    #expect(abs(step.position - 432_000) < 2400, "placed at \(step.position)")
    for own in [3.0, 7, 12, 18] {
      let event = own + (own > 9 ? 333.0 / 48_000 : 0)
      let error = place.timeline(at: own) - (0.5 + event / 1.000_02)
      #expect(abs(error) * 48_000 < 0.2, "\(error * 48_000) samples off at \(own) s")
    }
  }

  @Test("half a second that is missing is found, placed and counted to the sample")
  func lostFar() throws {
    let one = try Self.event.recorded(from: 2, seconds: 22, seed: 14)
    var other = try Self.event.recorded(from: 2.5, seconds: 21, ppm: -15, seed: 15)
    other.removeSubrange(384_000..<384_000 + 24_011)
    let result = try align([one, other])
    let finding = try #require(result.findings.first?.comparison)
    #expect(finding.steps.count == 1, "\(finding.steps)")
    let step = try #require(finding.steps.first)
    #expect(step.samples == 24_011 && step.cause == .lostInOther, "\(step)")
    #expect(abs(step.position - 384_000) < 2400, "at \(step.position)")
    for own in [3.0, 6, 12, 18] {
      let event = own + (own > 8 ? 24_011.0 / 48_000 : 0)
      let error = result.places[1].timeline(at: own) - (0.5 + event / (1 - 15e-6))
      #expect(abs(error) * 48_000 < 0.3, "\(error * 48_000) samples off at \(own) s")
    }
  }

  @Test("a talker who moves, if only by whole samples, lost none: the room answers otherwise")
  func moved() throws {
    func heard(from start: Double, then later: Double, ppm: Double, seed: UInt64) throws -> [Float]
    {
      let before = try Self.event.recorded(from: start, seconds: 20, ppm: ppm, seed: seed)
      let after = try Self.event.recorded(from: later, seconds: 20, ppm: ppm, seed: seed + 1)
      return Array(before[..<480_000] + after[480_000...])
    }
    let result = try align([
      try heard(from: 2, then: 2, ppm: 0, seed: 31),
      try heard(from: 2.5, then: 2.5 + 97.0 / 48_000, ppm: 20, seed: 33),
    ])
    let finding = try #require(result.findings.first?.comparison)
    #expect(finding.steps.map(\.cause) == [.sourceMoved], "\(finding.steps)")
    #expect(abs((finding.steps.first?.samples ?? 0) - 97) < 0.3, "\(finding.steps)")
    #expect(abs(result.places[1].ppm - 20) < 0.3, "\(result.places[1].ppm) ppm")
  }

  @Test("what has nothing in common is refused: another event, silence, noise")
  func refused() throws {
    let one = try Self.event.recorded(from: 2, seconds: 8, seed: 6)
    let foreign = try Event(seconds: 12, seed: 99).recorded(from: 2, seconds: 8, seed: 7)
    for other in [foreign, [Float](repeating: 0, count: 300_000)] {
      let result = try align([one, other])
      #expect(result.places[1].root == 1)
      #expect(result.findings.allSatisfy { !$0.isFound })
      #expect((result.findings[0].comparison?.evidence.sigmas ?? 0) < 7)
    }
  }

  @Test("rates may differ between files")
  func rates() throws {
    let one = try Self.event.recorded(from: 2, seconds: 9, seed: 8)
    let heard = try Self.event.recorded(from: 4, seconds: 9, seed: 9)
    var slower = try TimelineResampler(
      channels: 1, start: 0, step: 48_000 / 44_100, count: 44_100 * 8)
    var samples = try slower.process(heard.map(Double.init))
    samples += try slower.finish()
    let result = try SoundAligner(
      sources: [
        MemorySound(samples: one),
        MemorySound(samples: samples.map { Float($0) }, hertz: 44_100),
      ], reference: 0, workers: OneWorker()
    ).align()
    #expect(result.places[1].root == 0)
    #expect(abs(result.places[1].timeline(at: 4) - 6) * 48_000 < 0.1)
  }
}
