import Control
import Recording
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("The status table on a screen of any width", .computing)
struct StatusTableTests {
  private let terminal = Terminal(color: .never) { _ in nil }

  private func fleet(battery: Double? = nil) -> FleetReport {
    var reports: [HostReport] = []
    for (number, label) in ["studio-pi-4", "a-laptop-with-a-very-long-name"].enumerated() {
      var report = HostReport(
        peer: PeerID(high: UInt64(number) + 1, low: 0), label: label, software: "recorder 0.1",
        state: "rolling", sync: HostReport.Sync(role: number == 0 ? .coordinator : .follower))
      report.input = HostReport.Input(
        description: "USB Mic", pcm: "hw:1", sampleRateHertz: 48_000, channels: 2, bits: 24)
      report.cardPpm = 20.54
      report.levelsDbfs = HostReport.Levels(peak: [-18.2, -15.6], rms: [-30, -30])
      report.diskMinutesLeft = 812
      report.sync.offsetNs = number == 0 ? nil : -61
      report.sync.jitterBoundNs = number == 0 ? nil : 135
      reports.append(report)
    }
    reports[1].batteryPercent = battery
    var fleet = FleetReport(peer: PeerID(high: 1, low: 0))
    fleet.hosts = reports
    return fleet
  }

  private func second(_ columns: Int?, battery: Double? = nil) -> String {
    StatusTable(fleet: fleet(battery: battery), columns: columns).lines(terminal)[2]
  }

  @Test("as much is left out as must be, in order")
  func economy() {
    let name = "+  a-laptop-with-a-very-long-name  rolling  "
    let whole = name + "hw:1 2ch 48k +20.5ppm  −18 −16     –        13h32      −61 ±135 ns     0"
    #expect(second(nil) == whole)
    #expect(second(whole.count) == whole)
    #expect(
      second(whole.count - 1)
        == name + "hw:1 2ch 48k +20.5ppm  −18 −16     13h32      −61 ±135 ns     0")
    #expect(
      second(110, battery: 87)
        == name + "hw:1 2ch 48k  −18 −16     87%      13h32      −61 ±135 ns     0")
    #expect(second(100) == name + "hw:1 2ch 48k  −18 −16     13h32      −61 ±135 ns     0")
    #expect(second(90) == name + "hw:1 2ch 48k  13h32      −61 ±135 ns     0")
    #expect(
      second(80)
        == "+  a-laptop-with-a-very-long-n…  rolling  hw:1 2c…  13h32      −61 ±135 ns     0"
    )
  }

  @Test("no line is wider than the screen, down to where no name can be cut further")
  func widths() {
    for columns in 62...130 {
      for battery in [nil, 5.0] where battery == nil || columns >= 71 {
        let lines = StatusTable(fleet: fleet(battery: battery), columns: columns).lines(terminal)
        let widest = lines.map(\.count).max() ?? 0
        #expect(widest <= columns, "\(columns) columns, battery \(battery ?? -1): \(widest)")
        #expect(lines[0].hasSuffix("GAPS"))
      }
    }
  }
}
