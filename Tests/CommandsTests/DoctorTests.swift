import Control
import Recording
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("What the doctor finds", .computing)
struct DoctorTests {
  private func found(_ facts: DoctorFacts) -> [String: DoctorFinding] {
    let findings = DoctorRules(facts: facts).findings
    return Dictionary(findings.map { ($0.check, $0) }) { first, _ in first }
  }

  private func well() -> DoctorFacts {
    var facts = DoctorFacts()
    facts.user = "ada"
    facts.realtimePriority = 95
    facts.lockedBytes = 256 << 20
    facts.cards = [.init(name: "hw:CARD=USB,DEV=0", holder: nil)]
    facts.cardRun = .init(name: "hw:CARD=USB", seconds: 5, ppm: 12.34, gaps: 0)
    facts.output = "/srv/takes"
    facts.writes = WriteTimes()
    facts.minutesLeft = 600
    facts.wireless = [.init(name: "wlan0", savesPower: false)]
    facts.governors = ["performance"]
    facts.canStayAwake = true
    facts.wallClock = .init(isDisciplined: true, slewPPM: 3)
    var fleet = FleetReport(peer: PeerID(high: 1, low: 0))
    fleet.group = "band"
    fleet.hosts = [1, 2].map { number in
      HostReport(
        peer: PeerID(high: number, low: 0), label: "rec-\(number)", software: "recorder 1",
        state: "idle", sync: .init(role: .follower))
    }
    facts.fleet = fleet
    return facts
  }

  @Test("a host that is well has nothing in its way")
  func nothing() {
    for finding in DoctorRules(facts: well()).findings {
      #expect(finding.grade == .good, "\(finding)")
    }
    #expect(found(well())["rate"]?.text == "hw:CARD=USB: 12.3 ppm off its rate over 5 s, 0 gaps")
  }

  @Test("each thing that is not well is graded, and has what to type")
  func each() {
    typealias Change = (inout DoctorFacts) -> Void
    let cases: [(String, DoctorFinding.Grade, String, Change)] = [
      (
        "access", .problem, "usermod -aG audio ada", { $0.forbiddenDevices = ["/dev/snd/pcmC1D0c"] }
      ),
      ("real-time", .problem, "ada - rtprio 95", { $0.realtimePriority = 49 }),
      ("memory", .advice, "ada - memlock", { $0.lockedBytes = (64 << 20) - 1 }),
      ("cards", .advice, "end that program", { $0.cards[0].holder = "pipewire (812)" }),
      ("rate", .problem, "--rate 44100", { $0.cardRun?.ppm = -1001 }),
      ("rate", .problem, "another USB port", { $0.cardRun?.gaps = 1 }),
      ("rate", .problem, "recorder cards", { $0.cardRun?.failure = "there is no sound device" }),
      ("disk", .advice, "--output DIR", { $0.writes?.add(milliseconds: 200) }),
      ("disk", .problem, "--output DIR", { $0.writes?.add(milliseconds: 2000) }),
      ("room", .advice, "df -h /srv/takes", { $0.minutesLeft = 59 }),
      ("room", .problem, "df -h /srv/takes", { $0.minutesLeft = 9 }),
      ("Wi-Fi", .problem, "iw dev wlan0 set power_save off", { $0.wireless[0].savesPower = true }),
      ("Wi-Fi", .unknown, "get power_save", { $0.wireless[0].savesPower = nil }),
      ("processor", .advice, "cpupower", { $0.governors = ["powersave"] }),
      ("sleep", .advice, "systemctl mask", { $0.canStayAwake = false }),
      ("clock", .advice, "timesyncd", { $0.wallClock?.isDisciplined = false }),
      ("daemon", .advice, "recorder daemon", { $0.fleet = nil }),
      ("network", .advice, "--peers", { $0.fleet?.hosts[1].isHeardByMulticast = false }),
      ("network", .problem, "let TCP through", { $0.fleet?.hosts[1].unlinked = ["rec-1"] }),
      (
        "twin", .advice, "disk images",
        {
          $0.fleet?.hosts[0].alerts = [
            Alert(.twin, severity: .warning, text: "a twin", next: "leave it out of disk images")
          ]
        }
      ),
      (
        "version", .advice, "the same",
        {
          $0.fleet?.hosts[0].alerts = [
            Alert(.version, severity: .warning, text: "unlike", next: "install the same")
          ]
        }
      ),
    ]
    for (check, grade, fix, change) in cases {
      var facts = well()
      change(&facts)
      let finding = found(facts)[check]
      #expect(finding?.grade == grade, "\(check): \(finding.map { "\($0)" } ?? "nothing")")
      #expect(finding?.fix?.contains(fix) == true, "\(check): \(finding?.fix ?? "nothing")")
    }
    var root = well()
    root.isRoot = true
    root.realtimePriority = 0
    #expect(found(root)["real-time"]?.grade == .good)
  }

  @Test("writes are counted by how long they took, and the disk is measured without a trace")
  func writes() throws {
    var times = WriteTimes()
    for milliseconds in [0.5, 0.99, 1, 29, 30, 5000] { times.add(milliseconds: milliseconds) }
    #expect(times.counts == [2, 1, 0, 1, 1, 0, 0, 1])
    #expect(times.slowestMilliseconds == 5000)
    #expect(
      times.words == "2 under 1 ms, 1 under 3 ms, 1 under 30 ms, 1 under 100 ms, 1 over 1000 ms")
    let measured = try #require(WriteTimes.measure(in: "/tmp"))
    #expect(measured.counts.reduce(0, +) == WriteTimes.blocks)
    #expect(WriteTimes.measure(in: "/nonexistent") == nil)
  }

  @Test("problems stand first, each with its arrow")
  func view() {
    let findings = [
      DoctorFinding("a", .good, "well", fix: "never shown"),
      DoctorFinding("b", .advice, "could be better", fix: "do this"),
      DoctorFinding("c", .problem, "bad", fix: "do that"),
    ]
    let terminal = Terminal(color: .never) { _ in nil }
    #expect(
      DoctorView(findings: findings).lines(terminal) == [
        "!!  c  bad", "      → do that", "!   b  could be better", "      → do this",
        "ok  a  well",
      ])
  }

  @Test("a unit's words are quoted as systemd reads them")
  func unit() {
    let words = ["/usr/bin/recorder", "daemon", "--name", "Søren's \"mic\"", "--output", "/a b/%h"]
    let text = UnitFile(words: words).text
    #expect(
      text.contains(
        "ExecStart=/usr/bin/recorder daemon --name \"Søren's \\\"mic\\\"\" --output \"/a b/%%h\"\n")
    )
    #expect(text.contains("Type=notify\n") && text.contains("WatchdogSec=60\n"))
    #expect(UnitFile.quoted("") == "\"\"")
    #expect(UnitFile.quoted("a$b") == "\"a$$b\"")
  }
}
