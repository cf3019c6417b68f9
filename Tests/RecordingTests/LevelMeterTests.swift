import Recording
import TestLanes
import Testing

@Suite("Level meter", .computing)
struct LevelMeterTests {
  @Test("silence is nothing at all")
  func silence() {
    var meter = LevelMeter()
    #expect(meter.rms == 0)
    meter.add(0)
    #expect(meter.peak == 0)
    #expect(meter.rms == 0)
    #expect(meter.clipped == 0)
  }

  @Test("a square wave's peak and power are its height; the sign does not matter")
  func square() {
    var meter = LevelMeter()
    for sample in 0..<1000 { meter.add(sample % 2 == 0 ? 0.25 : -0.25) }
    #expect(meter.peak == 0.25)
    #expect(abs(meter.rms - 0.25) < 1e-6)
  }

  @Test("the last of 24 bits is clipped, one below is not")
  func clipped() {
    var meter = LevelMeter()
    meter.add(-1)
    meter.add(8_388_607.0 / 8_388_608.0)
    meter.add(8_388_605.0 / 8_388_608.0)
    #expect(meter.clipped == 2)
  }
}
