import Control
import Recording
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("What the watch shows, and problems before all else", .computing)
struct WatchTests {
  private let terminal = Terminal(color: .never) { _ in nil }

  private func host(_ number: UInt64, _ label: String, channels: Int = 2) -> HostReport {
    var report = HostReport(
      peer: PeerID(high: number, low: 0), label: label, software: "recorder 0.1",
      state: "rolling", sync: HostReport.Sync(role: number == 1 ? .coordinator : .follower))
    report.input = HostReport.Input(
      description: "USB Mic", pcm: "hw:1", sampleRateHertz: 48_000, channels: channels, bits: 24)
    report.levelsDbfs = HostReport.Levels(
      peak: Array(repeating: -12, count: channels), rms: Array(repeating: -30, count: channels),
      clipped: [3] + Array(repeating: 0, count: channels - 1))
    report.recordedFrames = 48_000 * 3723
    report.sync.jitterBoundNs = 21_000
    report.sync.pathLimitNs = 800_000
    report.take = TakePlan(id: TakeID(high: 1, low: 1), name: "12A", number: 3)
    return report
  }

  private func page(_ hosts: [HostReport], columns: Int, rows: Int) -> WatchPage {
    var fleet = FleetReport(peer: PeerID(high: 1, low: 0))
    fleet.group = "band"
    fleet.hosts = hosts
    let event = FleetEvent(
      .raised, Alert(.gap, severity: .critical, text: "480 frames lost", next: "look"),
      peer: PeerID(high: 2, low: 0), label: "rec-b", unixNs: 1_777_600_000_000_000_000)
    return WatchPage(
      fleet: fleet, events: Array(repeating: event, count: 12), columns: columns, rows: rows,
      utcOffsetSeconds: 0)
  }

  @Test("any size is filled exactly and never passed, from one cell to a large screen")
  func sizes() {
    var hosts = (1...5).map { host(UInt64($0), "rec-\($0)", channels: 8) }
    hosts[2].state = "lost"
    hosts[2].silentSeconds = 14
    hosts[1].alerts = (1...20).map {
      Alert(.clip, subject: "channel \($0)", severity: .warning, text: "channel \($0): too loud")
    }
    for (columns, rows) in [(80, 24), (1, 1), (20, 5), (40, 10), (300, 100), (80, 3)] {
      let lines = page(hosts, columns: columns, rows: rows).lines(terminal)
      #expect(lines.count == rows, "\(columns) × \(rows)")
      #expect(lines.allSatisfy { $0.count <= columns }, "\(columns) × \(rows): \(lines)")
    }
  }

  @Test("80 × 24 with three hosts has timer, problems, table, meters, events, and how to leave")
  func usualSize() {
    var hosts = [host(1, "rec-a"), host(2, "rec-b"), host(3, "rec-c")]
    hosts[2].alerts = [
      Alert(.clip, subject: "channel 1", severity: .warning, text: "channel 1: too loud"),
      Alert(.cardLost, severity: .critical, text: "the card is gone", next: "plug it in"),
    ]
    let lines = page(hosts, columns: 80, rows: 24).lines(terminal)
    #expect(lines[0].hasPrefix("● ROLLING   3 hosts"))
    #expect(lines[1] == "  01:02:03  12A T3")
    #expect(lines[2] == "!!  rec-c  the card is gone; plug it in")
    #expect(lines[3] == "!   rec-c  channel 1: too loud")
    #expect(lines[5].contains("HOST"))
    #expect(lines.contains { $0.hasPrefix("rec-a   1 ") && $0.hasSuffix("−12  CLIP") })
    #expect(lines.filter { $0.contains("480 frames lost; look") }.count >= 2)
    #expect(lines.last == "q: leave")
  }

  @Test("a problem is shown whole where there is room for it, else a line each, cut")
  func wholeProblems() {
    var one = host(1, "rec-a")
    let alert = { (number: Int) in
      Alert(
        .clip, subject: "channel \(number)", severity: .warning,
        text: "channel \(number): too loud, 123456 samples at full scale, and more of them",
        next: "turn its gain down")
    }
    one.alerts = [alert(1)]
    let lines = page([one], columns: 80, rows: 24).lines(terminal)
    let begin = lines.firstIndex { $0.hasPrefix("!  rec-a  channel 1") } ?? 0
    #expect(lines[begin + 1].hasSuffix("down") && lines[begin + 1].hasPrefix("          "))
    #expect(lines.allSatisfy { $0.count <= 80 })
    one.alerts = (1...6).map(alert)
    let many = page([one], columns: 80, rows: 24).lines(terminal)
    #expect(many.filter { $0.hasPrefix("!  rec-a  channel") }.count == 6)
    #expect(many.filter { $0.hasPrefix("!  rec-a  channel") && $0.hasSuffix("…") }.count == 6)
  }

  @Test("a meter fills with the level: silence, the floor, the middle, full scale, beyond")
  func meter() {
    let levels: [Double?] = [nil, -90, -60, -30, 0, 3, -.infinity]
    #expect(levels.map { WatchPage.cells($0, of: 40) } == [0, 0, 0, 20, 40, 40, 0])
  }

  @Test("problems: the worst first, a loss once, silent channels in one line, nothing twice")
  func problems() {
    var one = host(1, "rec-a")
    var two = host(2, "rec-b")
    var lost = host(3, "rec-c")
    lost.state = "lost"
    let loss = Alert(
      .hostLost, subject: lost.peer.description, severity: .critical, text: "rec-c is not heard",
      next: "look at its power")
    let silent = [1, 3, 4].map {
      Alert(
        .silence, subject: "channel \($0)", severity: .warning,
        text: "channel \($0): nothing has come for 10 s and more", next: "look at its cable")
    }
    let unheard = Alert(
      .hostLost, subject: two.peer.description, severity: .warning, text: "rec-b is not heard",
      next: "look")
    one.alerts = [loss, unheard] + silent
    one.warnings = ["the card's driver gives no time stamps"]
    two.alerts = [loss]
    var fleet = FleetReport(peer: one.peer)
    fleet.hosts = [one, two, lost].map(\.inWords)
    #expect(
      HealthView(fleet: fleet).lines(terminal) == [
        "!!  rec-c  not heard any more; look at its power",
        "!   rec-a  rec-b is not heard; look",
        "!   rec-a  channels 1, 3, 4: nothing has come for 10 s and more; look at its cable",
        "!   rec-a  the card's driver gives no time stamps",
      ])
    #expect(HealthView(fleet: fleet).lines(terminal, most: 1).count == 2)
    #expect(
      HealthView(fleet: fleet).lines(terminal, columns: 60)[2...3] == [
        "!   rec-a  channels 1, 3, 4: nothing has come for 10 s and",
        "           more; look at its cable",
      ])
  }

  @Test("an event is a line with its time, its weight, its host, and what to do")
  func eventLine() {
    let alert = Alert(.disk, severity: .warning, text: "disk: 9 min left", next: "free some")
    var event = FleetEvent(
      .raised, alert, peer: PeerID(high: 1, low: 0), label: "rec-a",
      unixNs: 86_399_000_000_000, take: "12A T3")
    let line = { EventView(event: $0, utcOffsetSeconds: 0).line(self.terminal) }
    #expect(line(event) == "23:59:59.000  !   rec-a  disk: 9 min left; free some  [12A T3]")
    event.phase = .cleared
    event.label = "re\u{1b}[31mc"
    #expect(line(event) == "23:59:59.000  ok  re\u{FFFD}[31mc  over: disk: 9 min left  [12A T3]")
  }
}
