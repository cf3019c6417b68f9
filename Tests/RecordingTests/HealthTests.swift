import FoundationEssentials
import Recording
import TestLanes
import Testing
import Units

@Suite("Which alerts hold, from when to when", .computing)
struct HealthTests {
  /// A host whose figures are set as time goes on.
  private struct Host {
    var watch = HealthWatch()
    var reading = HealthReading()
    var now = HostInstant(nanoseconds: 1_000_000_000)

    /// Goes on for `seconds`, looking twice a second; what changed, with the second in which.
    mutating func run(_ seconds: Double) -> [String] {
      var told: [String] = []
      for _ in 0..<Int(seconds * 2) {
        for change in watch.take(reading, at: now) {
          let second = Int((now.nanoseconds - 1_000_000_000) / 1_000_000_000)
          told.append(
            "\(second) \(change.phase.rawValue) \(change.alert.kind.rawValue) "
              + "\(change.alert.severity.rawValue)")
        }
        now = now + .milliseconds(500)
      }
      return told
    }
  }

  @Test("a disk is told of at 60 and at 10 minutes, and does not chatter in between")
  func disk() {
    var host = Host()
    let set = { (host: inout Host, minutes: Double) in
      host.reading.disks = [.init(folder: "/srv", minutesLeft: minutes)]
    }
    set(&host, 60)
    #expect(host.run(2) == [])
    set(&host, 59.9)
    #expect(host.run(1) == ["2 raised disk warning"])
    for minutes in [60.1, 59.8, 74.9, 10] {
      set(&host, minutes)
      #expect(host.run(1) == [])
    }
    set(&host, 9.9)
    #expect(host.run(1) == ["7 changed disk critical"])
    set(&host, 14.9)
    #expect(host.run(1) == [])
    set(&host, 15)
    #expect(host.run(1) == ["9 changed disk warning"])
    set(&host, 75)
    #expect(host.run(1) == ["10 cleared disk warning"])
    // Straight to the worst, and straight to well.
    set(&host, 1)
    #expect(host.run(1) == ["11 raised disk critical"])
    #expect(
      host.watch.active.map(\.sentence) == [
        "disk: 1 min left at this rate; free some of /srv, or choose another folder with --output"
      ])
    set(&host, 500)
    #expect(host.run(1) == ["12 cleared disk critical"])
  }

  @Test(
    "a disk that does not answer is told of with its seconds, urgently where a take waits for it")
  func silentDisk() {
    var host = Host()
    host.reading.silentDisks = [
      .init(folder: "/srv", seconds: 2.9, hasTakes: true),
      .init(folder: "/state", seconds: 119.9, hasTakes: false),
    ]
    #expect(host.run(1).count == 2)
    let advice = "look at its cable and its power, or at the server of a network folder"
    #expect(
      host.watch.active.map(\.sentence) == [
        "the disk of /srv does not answer for 2 s; " + advice,
        "the disk of /state does not answer for 119 s; "
          + "a take would not be gone on with after a crash; " + advice,
      ])
    host.reading.isBusy = true
    host.reading.silentDisks[0].seconds = 120
    #expect(host.run(1) == ["1 changed disk_silent critical"])
    #expect(
      host.watch.active.first?.sentence
        == "the disk of /srv does not answer for 2 min; what rolls waits in memory, for 10 s; "
        + advice)
    host.reading.silentDisks = []
    #expect(
      host.run(1) == ["2 cleared disk_silent critical", "2 cleared disk_silent warning"])
  }

  @Test("of hosts that their users ended nobody says that the network is down")
  func ended() {
    var host = Host()
    let peer = { (number: UInt64, isLost: Bool, hasLeft: Bool) in
      HealthReading.Peer(
        id: PeerID(high: number, low: 0), label: "p\(number)", software: "", isLost: isLost,
        hasLeft: hasLeft)
    }
    host.reading.peers = [peer(1, true, true), peer(2, true, true)]
    #expect(host.run(1) == [])
    host.reading.peers = [peer(1, true, true), peer(2, true, false)]
    #expect(host.run(1) == ["1 raised host_lost warning"])
    #expect(host.watch.active.map(\.next) == ["look at its power and its network"])
    host.reading.peers = [peer(1, true, true), peer(2, true, false), peer(3, true, false)]
    _ = host.run(1)
    #expect(
      Set(host.watch.active.map(\.next)) == ["nobody is heard: look at this host's own network"])
  }

  @Test("a battery is told of at 20 and 5 percent, and not while it is charged")
  func battery() {
    var host = Host()
    host.reading.isDischarging = true
    host.reading.batteryPercent = 20
    #expect(host.run(1) == [])
    host.reading.batteryPercent = 19.9
    #expect(host.run(1) == ["1 raised battery warning"])
    host.reading.batteryPercent = 4.9
    #expect(host.run(1) == ["2 changed battery critical"])
    host.reading.batteryPercent = 7.9
    #expect(host.run(1) == [])
    host.reading.isDischarging = false
    #expect(host.run(1) == ["4 cleared battery critical"])
  }

  @Test("heat and a wide bound must last five seconds, both ways")
  func lasting() {
    var host = Host()
    host.reading.celsius = 85
    host.reading.boundNanoseconds = 2_000_000
    #expect(host.run(4.5) == [])
    host.reading.celsius = 79
    #expect(host.run(0.5) == [])
    host.reading.celsius = 85
    #expect(host.run(5) == ["5 raised sync_bound warning"])
    #expect(host.run(1) == ["10 raised temperature warning"])
    host.reading.celsius = 76
    host.reading.boundNanoseconds = 1_700_000
    #expect(host.run(60) == [])
    host.reading.celsius = 74
    host.reading.boundNanoseconds = 1_500_000
    #expect(
      host.run(6) == ["76 cleared sync_bound warning", "76 cleared temperature warning"])
  }

  @Test("what is lost and what is too loud is told when it happens, and forgotten a minute later")
  func counts() {
    var host = Host()
    host.reading.clipped = [0, 0]
    #expect(host.run(1) == [])
    host.reading.gaps = 1
    host.reading.lastGap = "480 frames lost"
    host.reading.clipped = [0, 7]
    #expect(host.run(1) == ["1 raised clip warning", "1 raised gap critical"])
    #expect(host.watch.active.map(\.subject) == ["", "channel 2"])
    #expect(host.watch.active[0].text == "480 frames lost; silence stands for them")
    #expect(host.run(29) == [])
    host.reading.gaps = 2
    #expect(host.run(40) == ["61 cleared clip warning"])
    #expect(host.run(30) == ["91 cleared gap critical"])
    // Armed anew, counts begin anew: that is no gap.
    host.reading.gaps = 0
    #expect(host.run(1) == [])
    host.reading.gaps = 1
    #expect(host.run(1).count == 1)
  }

  @Test("one silent channel of two is told after 10 s, all of them after a minute")
  func silence() {
    var host = Host()
    host.reading.silentSeconds = [0, 9.9]
    #expect(host.run(1) == [])
    host.reading.silentSeconds = [0, 10]
    #expect(host.run(1) == ["1 raised silence warning"])
    host.reading.silentSeconds = [0, 0]
    #expect(host.run(3) == ["4 cleared silence warning"])
    host.reading.silentSeconds = [59.9, 59.9]
    #expect(host.run(1) == [])
    host.reading.silentSeconds = [60, 60]
    #expect(host.run(1).count == 2)
    // The card is closed: nothing is known of its channels.
    host.reading.silentSeconds = []
    #expect(host.run(1).count == 2)
    #expect(host.watch.active.isEmpty)
  }

  @Test("a lost host is told at once, one that left is not, and one that rolled is critical")
  func lostHosts() {
    var host = Host()
    let peer = { (number: UInt64, lost: Bool) in
      HealthReading.Peer(
        id: PeerID(high: number, low: 0), label: "rec-\(number)", software: "", isLost: lost)
    }
    host.reading.peers = [peer(1, false), peer(2, false), peer(3, false)]
    #expect(host.run(1) == [])
    host.reading.peers[0].isLost = true
    host.reading.peers[1].isLost = true
    host.reading.peers[1].hasLeft = true
    host.reading.peers[2].isLost = true
    host.reading.peers[2].wasBusy = true
    #expect(host.run(1) == ["1 raised host_lost warning", "1 raised host_lost critical"])
    #expect(host.watch.active[0].next == "nobody is heard: look at this host's own network")
    host.reading.peers[0].isLost = false
    #expect(host.run(1) == ["2 cleared host_lost warning"])
    #expect(host.watch.active[0].next == "look at its power and its network")
  }

  @Test("the rest of the alerts: card, time, rate, clocks, disks, restart, versions, keys")
  func others() {
    var host = Host()
    host.reading.uptime = .seconds(20)
    host.reading.software = "recorder 2"
    host.reading.isRolling = true
    host.reading.isBusy = true
    host.reading.isCardGone = true
    host.reading.isSynced = false
    host.reading.cardPPM = 1000
    host.reading.disagreementNanoseconds = -2000
    host.reading.disagreementBoundNanoseconds = 1999
    host.reading.writers = [
      HostReport.Writer(
        folder: "/a", behindSeconds: 1, mostBehindSeconds: 1, slowestWriteMs: 1, failure: "full")
    ]
    host.reading.hadCrashed = true
    host.reading.strangers = ["10.0.0.9:5000": 3]
    host.reading.timecode = "it counts 25"
    host.reading.advice = ["no real-time priority"]
    host.reading.peers = [
      .init(id: PeerID(high: 1, low: 0), label: "b", software: "recorder 1", isLost: false)
    ]
    let told = Set(host.run(6).map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") })
    #expect(
      told == [
        "card_lost critical", "unsynced critical", "rate warning", "clock_disagreement warning",
        "write_stall warning", "write_failed critical", "restarted warning", "wrong_key warning",
        "timecode warning", "privilege warning", "version warning",
      ])
    #expect(host.watch.active.first?.severity == .critical)
    host.reading = HealthReading()
    _ = host.run(6)
    #expect(host.watch.active.isEmpty)
  }

  @Test("a host that is forgotten is not heard again")
  func forgotten() {
    let lost = Alert(
      .hostLost, subject: "1", severity: .critical,
      text: "b is not heard any more; what it records goes on until it is stopped there",
      next: "look at its power and its network")
    #expect(lost.overText == "b is heard again")
    #expect(lost.forgotten.text == "b is forgotten")
    #expect(lost.forgotten.overText == "b is forgotten")
    #expect(lost.forgotten.next.isEmpty)
    let other = Alert(.disk, severity: .warning, text: "disk: 9 min left")
    #expect(other.forgotten == other)
  }

  @Test("an alert is a line of the timing log, and read as it was written")
  func logged() throws {
    let alert = Alert(
      .silence, subject: "channel 3", severity: .warning, text: "channel 3: nothing", next: "look")
    let entry = TimingLogEntry.alert(
      TimingLogAlert(alert, phase: "raised", at: HostInstant(nanoseconds: 7)))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let line = try encoder.encode(entry)
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"host_ns":7,"kind":"silence","phase":"raised","severity":"warning","subject":"channel 3","#
        + #""text":"channel 3: nothing","type":"alert"}"#)
    #expect(try JSONDecoder().decode(TimingLogEntry.self, from: line) == entry)
  }

  @Test("no more is watched than the limit, whatever there is")
  func limit() {
    for count in [HealthWatch.mostWatched, HealthWatch.mostWatched + 300] {
      var host = Host()
      host.reading.strangers = Dictionary(
        uniqueKeysWithValues: (0..<count).map { ("address \($0)", UInt64(1)) })
      _ = host.run(1)
      #expect(host.watch.active.count <= HealthWatch.mostWatched)
      #expect(host.watch.active.count >= HealthWatch.mostWatched - 8)
    }
  }

  private func event(
    _ kind: AlertKind, peer: UInt64, seconds: Int64, phase: FleetEvent.Phase = .raised
  ) -> FleetEvent {
    FleetEvent(
      phase, Alert(kind, subject: "c", severity: .warning, text: "gone"),
      peer: PeerID(high: peer, low: 0), label: "rec-\(peer)", unixNs: seconds * 1_000_000_000)
  }

  @Test("events are numbered, the newest thousand kept, and one loss is told once")
  func book() {
    var book = EventBook()
    #expect(book.add(event(.hostLost, peer: 1, seconds: 100))?.number == 1)
    #expect(book.add(event(.hostLost, peer: 2, seconds: 109)) == nil)
    #expect(book.add(event(.hostLost, peer: 2, seconds: 110))?.number == 2)
    #expect(book.add(event(.hostLost, peer: 2, seconds: 111, phase: .cleared))?.number == 3)
    #expect(book.add(event(.gap, peer: 1, seconds: 111))?.number == 4)
    #expect(book.add(event(.gap, peer: 1, seconds: 111))?.number == 5)
    #expect(book.events(after: 3, limit: 10).map(\.number) == [4, 5])
    #expect(book.events(after: 0, limit: 2).map(\.number) == [4, 5])
    #expect(book.events(after: 0, limit: -1).isEmpty)
    for second in 0..<Int64(EventBook.most) { _ = book.add(event(.gap, peer: 1, seconds: second)) }
    #expect(book.events.count == EventBook.most)
    #expect(book.newest == UInt64(EventBook.most) + 5)
    // Kept through a restart, numbers go on.
    var next = EventBook(book.events)
    #expect(next.add(event(.gap, peer: 1, seconds: 1))?.number == book.newest + 1)
  }
}
