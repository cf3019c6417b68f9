import Recording
import TestLanes
import Testing
import Units

@Suite("Level meter", .computing)
struct LevelMeterTests {
  @Test("silence is nothing at all")
  func silence() {
    var meter = LevelMeter()
    #expect(meter.rms == 0)
    meter.add(peak: 0, energy: 0, count: 1, clipped: 0)
    #expect(meter.peak == 0)
    #expect(meter.rms == 0)
    #expect(meter.clipped == 0)
  }

  @Test("stretches add up: the highest peak, the power of all, the sum of what was clipped")
  func sum() {
    var meter = LevelMeter()
    meter.add(peak: 0.5, energy: 25, count: 100, clipped: 0)
    meter.add(peak: 1, energy: 75, count: 300, clipped: 3)
    meter.add(peak: 0.25, energy: 0, count: 0, clipped: 2)
    #expect(meter.peak == 1 && meter.rms == 0.5 && meter.clipped == 5)
  }

  @Test("a channel is silent below −80 dB, and worth a word after ten seconds of it")
  func watch() {
    var watch = SignalWatch()
    var quiet = LevelMeter()
    quiet.add(peak: SignalWatch.silence.nextDown, energy: 0, count: 1, clipped: 0)
    var heard = LevelMeter()
    heard.add(peak: SignalWatch.silence, energy: 0, count: 1, clipped: 1)
    for _ in 0..<99 { watch.take(quiet, length: .milliseconds(100)) }
    #expect(!watch.isWorthAWord && watch.silent == .milliseconds(9900))
    watch.take(quiet, length: .milliseconds(100))
    #expect(watch.isWorthAWord && watch.clipped == 0)
    watch.take(heard, length: .milliseconds(100))
    #expect(!watch.isWorthAWord && watch.silent == .zero && watch.clipped == 1)
    watch.take(quiet, length: .milliseconds(100))
    #expect(watch.clipped == 1)
  }
}
