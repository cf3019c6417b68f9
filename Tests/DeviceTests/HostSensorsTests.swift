import Glibc
import HostSensors
import TestFolders
import TestLanes
import Testing

/// A /sys of our own, below a fresh folder that goes with it.
private struct FakeRoot {
  private let place = TestFolder()
  var path: String { place.path }

  func put(_ file: String, _ text: String) { place.write(text + "\n", to: file) }

  func battery(_ name: String, _ values: [String: String]) {
    for (key, value) in values { put("sys/class/power_supply/\(name)/\(key)", value) }
  }
}

@Suite("Sensors of the host", .live)
struct HostSensorsTests {
  private let root = FakeRoot()

  @Test("a host without /sys says nothing, rather than zero")
  func nothing() {
    let sensors = HostSensors(root: root.path)
    #expect(sensors.battery() == nil)
    #expect(sensors.temperatureCelsius() == nil)
  }

  @Test("a battery that is drawn on says how long it lasts")
  func discharging() throws {
    root.battery(
      "BAT0",
      [
        "type": "Battery", "status": "Discharging", "capacity": "64",
        "energy_now": "32000000", "energy_full": "50000000", "power_now": "10000000",
      ])
    let battery = try #require(HostSensors(root: root.path).battery())
    #expect(battery == BatteryReading(percent: 64, minutesLeft: 192, isDischarging: true))
  }

  @Test("a battery in charges and a negative current reads the same")
  func charges() throws {
    root.battery(
      "BAT1",
      [
        "type": "Battery", "status": "Discharging",
        "charge_now": "1000000", "charge_full": "4000000", "current_now": "-500000",
      ])
    let battery = try #require(HostSensors(root: root.path).battery())
    #expect(battery == BatteryReading(percent: 25, minutesLeft: 120, isDischarging: true))
  }

  @Test("a battery that charges, or does not tell its draw, has no end in minutes")
  func charging() throws {
    root.battery("BAT0", ["type": "Battery", "status": "Charging", "capacity": "40"])
    let battery = try #require(HostSensors(root: root.path).battery())
    #expect(battery == BatteryReading(percent: 40, minutesLeft: nil, isDischarging: false))
  }

  @Test("mains, a mouse and an empty bay are no batteries of the host")
  func others() {
    root.battery("AC", ["type": "Mains", "online": "1"])
    root.battery("mouse", ["type": "Battery", "scope": "Device", "capacity": "80"])
    root.battery("BAT1", ["type": "Battery", "present": "0", "capacity": "0"])
    #expect(HostSensors(root: root.path).battery() == nil)
  }

  @Test("two batteries count by what they hold")
  func two() throws {
    root.battery(
      "BAT0",
      [
        "type": "Battery", "status": "Discharging", "capacity": "100", "energy_now": "30000000",
        "energy_full": "30000000", "power_now": "0",
      ])
    root.battery(
      "BAT1",
      [
        "type": "Battery", "status": "Discharging", "capacity": "0", "energy_now": "0",
        "energy_full": "10000000", "power_now": "15000000",
      ])
    let battery = try #require(HostSensors(root: root.path).battery())
    #expect(battery == BatteryReading(percent: 75, minutesLeft: 120, isDischarging: true))
  }

  @Test("broken values are unknown")
  func broken() {
    root.battery("BAT0", ["type": "Battery", "capacity": "many"])
    root.put("sys/class/thermal/thermal_zone0/temp", "hot")
    root.put("sys/class/thermal/thermal_zone1/temp", "-274000")
    let sensors = HostSensors(root: root.path)
    #expect(sensors.battery() == nil)
    #expect(sensors.temperatureCelsius() == nil)
  }

  @Test("the hottest zone counts")
  func temperature() {
    root.put("sys/class/thermal/thermal_zone0/temp", "41500")
    root.put("sys/class/thermal/thermal_zone1/temp", "63250")
    root.put("sys/class/thermal/cooling_device0/temp", "90000")
    #expect(HostSensors(root: root.path).temperatureCelsius() == 63.25)
  }

  @Test("the disk of a folder that is not made yet is that of the nearest one above")
  func disk() throws {
    let sensors = HostSensors(root: root.path)
    let here = try #require(sensors.disk(holding: root.path))
    let later = try #require(sensors.disk(holding: root.path + "/a/b/c"))
    #expect(here.totalBytes == later.totalBytes)
    #expect(here.freeBytes > 0 && here.freeBytes <= here.totalBytes)
    #expect(sensors.disk(holding: "no/such/folder")?.totalBytes ?? 0 > 0)
  }
}
