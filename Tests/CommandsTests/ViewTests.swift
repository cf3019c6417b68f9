import Control
import Recording
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("What people see", .computing)
struct ViewTests {
  private let terminal = Terminal(color: .never) { _ in nil }

  private func report(
    _ number: UInt64, _ label: String, state: String = "idle",
    role: HostReport.Sync.Role = .follower
  ) -> HostReport {
    var report = HostReport(
      peer: PeerID(high: number, low: 0), label: label, software: "recorder 0.1", state: state,
      sync: HostReport.Sync(role: role))
    report.input = HostReport.Input(
      description: "USB Mic", pcm: "hw:1", sampleRateHertz: 48_000, channels: 2, bits: 24)
    return report
  }

  private func fleet(_ hosts: [HostReport]) -> FleetReport {
    var fleet = FleetReport(peer: PeerID(high: 1, low: 0))
    fleet.group = "band"
    fleet.hosts = hosts
    return fleet
  }

  @Test("a fleet with one host that is well, one with a problem, and one that is lost")
  func table() {
    var reference = report(1, "rec-a", role: .coordinator)
    reference.levelsDbfs = HostReport.Levels(peak: [-18.2, -15.6], rms: [-30, -30])
    reference.batteryPercent = 87
    reference.batteryMinutes = 310
    reference.diskMinutesLeft = 812
    var second = report(2, "rec-b")
    second.sync.offsetNs = 12_300
    second.sync.jitterBoundNs = 21_000
    second.sync.pathLimitNs = 800_000
    second.levelsDbfs = HostReport.Levels(peak: [-1, nil], rms: [-10, nil])
    second.clipped = 3
    second.gaps = 1
    second.diskMinutesLeft = 48
    second.warnings = ["disk: 48 min left"]
    var lost = report(3, "rec-d", state: "lost")
    lost.silentSeconds = 14
    lost.sync.offsetNs = 9_000
    lost.sync.jitterBoundNs = 50_000
    let lines = StatusView(fleet: fleet([reference, second, lost])).lines(terminal)
    #expect(
      lines == [
        "● IDLE   3 hosts · 2 problems · sync ±21 us (path ≤ 800 us) · ready to arm",
        "!  rec-b  disk: 48 min left",
        "!  rec-d  not heard any more; look at its power and its network",
        "",
        "   HOST   STATE  INPUT         LEVEL dBFS  BATTERY   DISK LEFT  SYNC         GAPS",
        "*  rec-a  idle   hw:1 2ch 48k  −18 −16     87% 5h10  13h32      reference       0",
        "!  rec-b  idle   hw:1 2ch 48k  −1 −∞ CLIP  –         48m LOW    +12 ±21 us      1",
        "?  rec-d  lost   14 s ago      –           –         –          +9.0 ±50 us     –",
      ])
  }

  @Test(
    "an offset bears its unit unless the bound has the same",
    arguments: [
      (0, 78, "0 ±78 ns"), (-2, 309, "−2 ±309 ns"), (12_300, 309, "+12 us ±309 ns"),
      (-400, 1_200, "−400 ns ±1.2 us"), (12_300, 21_000, "+12 ±21 us"),
    ] as [(Int64, Int64, String)])
  func offset(nanoseconds: Int64, bound: Int64, words: String) {
    var host = report(2, "rec-b")
    host.sync.offsetNs = nanoseconds
    host.sync.jitterBoundNs = bound
    host.diskMinutesLeft = 0.4
    let cells = HostCells(report: host)
    #expect(cells.sync == words)
    #expect(cells.disk == "<1m LOW")
  }

  @Test("the next step follows from the state")
  func nextStep() {
    let cases: [(String, String)] = [
      ("idle", "recorder arm"), ("armed", "recorder start --in 1s"),
      ("scheduled", "recorder stop"), ("rolling", "recorder stop"),
    ]
    for (state, next) in cases {
      #expect(StatusView(fleet: fleet([report(1, "a", state: state)])).next == next)
    }
    var bare = report(1, "a")
    bare.input = nil
    #expect(StatusView(fleet: fleet([bare])).next.hasPrefix("recorder daemon --input"))
  }

  @Test("a fleet that is not of one state says how many are where")
  func mixed() {
    var rolling = report(1, "a", state: "rolling")
    rolling.take = TakePlan(id: TakeID(high: 0, low: 1), name: "Szene", number: 7)
    rolling.recordedFrames = 48_000 * 95
    let view = StatusView(fleet: fleet([rolling, report(2, "b", state: "armed")]))
    #expect(
      view.lines(terminal)[0]
        == "● ROLLING   2 hosts · take 7 “Szene” on 1 of 2 with a card · 1m35")
  }

  @Test("a host that serves this machine alone says so")
  func alone() {
    var fleet = fleet([report(1, "a")])
    fleet.group = nil
    #expect(
      StatusView(fleet: fleet).lines(terminal).last
        == "this machine alone; for other hosts to take part: recorder group new NAME")
  }

  @Test("refused packets that tell of trouble are told by reason; those of daily life are not")
  func refused() {
    var fleet = fleet([report(1, "a")])
    fleet.refusedPackets = ["own": 900, "other_group": 70, "unproven": 2, "replayed": 0]
    #expect(StatusView(fleet: fleet).lines(terminal).count == 3)
    fleet.refusedPackets.merge(["too_short": 20, "unknown_version": 40, "replayed": 1]) { $1 }
    #expect(
      StatusView(fleet: fleet).lines(terminal).last
        == "packets refused: 40 of another version, 20 too short, 1 heard twice")
  }

  @Test("whoever commands at the same moment as another is told which take rolls")
  func twoStarts() {
    var order = OrderReport(verb: .start)
    order.take = TakePlan(id: TakeID(high: 0, low: 2), name: "Mine", number: 2)
    var answer = HostAnswer(
      peer: PeerID(high: 1, low: 0), label: "a", outcome: .done, state: "scheduled")
    answer.otherTake = "1 “Theirs”"
    order.hosts = [answer]
    #expect(
      OrderView(report: order, utcOffsetSeconds: 0).lines(terminal).last
        == "  a  take 1 “Theirs” was begun at the same moment, and is the one that rolls")
  }

  @Test("what is wider than the screen goes on below where its words began, never in mid-word")
  func wrapped() {
    let text = "!!  rec-a  " + (1...12).map { "word\($0)" }.joined(separator: " ")
    for columns in [35, 40, 60, 80] {
      let lines = WrappedText.lines(text, columns: columns, indent: 11)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(
        lines.dropFirst().allSatisfy {
          $0.hasPrefix("           word") && !$0.hasSuffix(" ")
        }, "\(lines)")
      let words = lines.flatMap { $0.split(separator: " ") }
      #expect(words.joined(separator: " ") == text.split(separator: " ").joined(separator: " "))
    }
    #expect(WrappedText.lines(text, columns: text.count, indent: 11) == [text])
    #expect(WrappedText.lines(text, columns: text.count - 1, indent: 11).count == 2)
    // A file has no columns, a screen of 34 no room, and a single word no place to be broken at.
    #expect(WrappedText.lines(text, columns: nil, indent: 11) == [text])
    #expect(WrappedText.lines(text, columns: 34, indent: 11) == [text])
    let long = String(repeating: "x", count: 100)
    #expect(WrappedText.lines("a " + long, columns: 50, indent: 2) == ["a", "  " + long])
  }

  @Test("colour comes only where it is wanted, and the words stay the same")
  func colour() {
    let colored = Terminal(color: .always) { _ in nil }
    #expect(colored.tinted("x", .red) == "\u{1b}[31mx\u{1b}[0m")
    #expect(terminal.tinted("x", .red) == "x")
    #expect(!Terminal(color: .auto) { $0 == "NO_COLOR" ? "1" : nil }.isColored)
  }

  @Test("words for a shell")
  func shellWords() {
    #expect(ShellWord.quoted("/a/b-c_d.wav") == "/a/b-c_d.wav")
    #expect(ShellWord.quoted("it's here") == "'it'\\''s here'")
    #expect(ShellWord.quoted("") == "''")
  }
}

@Suite("What an order ends with", .computing)
struct OrderTests {
  private func answer(
    _ label: String, _ outcome: HostAnswer.Outcome, isWrongState: Bool = false
  ) -> HostAnswer {
    var answer = HostAnswer(
      peer: PeerID(high: 0, low: 1), label: label, outcome: outcome, state: "armed")
    answer.isWrongState = isWrongState
    if outcome == .refused { answer.reason = "no" }
    return answer
  }

  private func report(_ answers: [HostAnswer]) -> OrderReport {
    var report = OrderReport(verb: .start)
    report.hosts = answers
    return report
  }

  @Test("exit codes by what hosts answered")
  func exitCodes() {
    let cases: [([HostAnswer], ExitCode)] = [
      ([answer("a", .done), answer("b", .done)], .success),
      ([answer("a", .done), answer("b", .noInput)], .success),
      ([answer("a", .done), answer("b", .refused)], .someHosts),
      ([answer("a", .done), answer("b", .missing)], .someHosts),
      ([answer("a", .refused, isWrongState: true), answer("b", .noInput)], .wrongState),
      ([answer("a", .refused, isWrongState: true), answer("b", .refused)], .failed),
      ([answer("a", .refused, isWrongState: true), answer("b", .missing)], .wrongState),
      ([answer("a", .missing)], .timeout),
      ([answer("a", .noInput)], .failed),
      ([], .noPeers),
    ]
    for (answers, code) in cases { #expect(report(answers).exitCode == code) }
  }

  @Test("a line per host: what it does, why not, or that it is missing")
  func lines() {
    var late = answer("rec-a", .done)
    late.state = "scheduled"
    late.lateNs = 950_000_000
    late.isCovered = true
    late.firstSample = .init(sharedNs: 999_995_800, boundNs: 38_000)
    var order = report([late, answer("rec-b", .refused), answer("rec-c", .missing)])
    order.take = TakePlan(id: TakeID(high: 0, low: 1), name: "take", number: 3)
    order.t0UnixNs = 3_723_004_000_000
    order.t0SharedNs = 1_000_000_000
    let view = OrderView(report: order, utcOffsetSeconds: 0)
    #expect(
      view.lines(Terminal(color: .never) { _ in nil }) == [
        "start take 3 “take” at 01:02:03.004: 1 of 3 hosts",
        "  rec-a  scheduled; told 950 ms late, recovered from its ring; first sample at T0 −4.2 us, "
          + "known to ±38 us",
        "  rec-b  refused: no",
        "  rec-c  missing: it did not answer; see recorder status; where it is armed it begins at T0 "
          + "from its ring as soon as it hears of it",
      ])
    #expect(view.next == "recorder status, recorder stop")
  }

  @Test("an armed host says how far back a take may begin, and what memory that takes")
  func armed() {
    var long = answer("rec-a", .done)
    long.input = HostReport.Input(
      description: "mic 2ch 48k", pcm: "hw:2", sampleRateHertz: 48_000, channels: 2, bits: 32)
    long.preRollNs = 90_000_000_000
    long.ringBytes = 38_400_000
    var none = long
    none.preRollNs = 0
    none.ringBytes = 3_840_000
    var order = report([long, none, answer("rec-b", .done)])
    order.verb = .arm
    let lines = OrderView(report: order, utcOffsetSeconds: 0).lines(
      Terminal(color: .never) { _ in nil })
    #expect(
      lines.dropFirst() == [
        "  rec-a  armed  hw:2, 2 ch, 48000 Hz, 32 bit; a take may begin 1m30 ago, from 38 MB of memory",
        "  rec-a  armed  hw:2, 2 ch, 48000 Hz, 32 bit; 4 MB of memory for a slow disk",
        "  rec-b  armed",
      ])
  }

  @Test("after a stop the folder is what comes next")
  func afterStop() {
    var done = answer("rec-a", .done)
    done.folder = "/srv/my takes/x"
    done.recordedFrames = 96_000
    done.gaps = 0
    var order = report([done])
    order.verb = .stop
    let view = OrderView(report: order, utcOffsetSeconds: 0)
    #expect(view.next == "recorder align '/srv/my takes/x'")
    #expect(
      view.lines(Terminal(color: .never) { _ in nil })[1]
        == "  rec-a  96000 frames, no gaps, /srv/my takes/x")
    #expect(
      view.lines(Terminal(color: .never) { _ in nil }, columns: 40).dropFirst() == [
        "  rec-a  96000 frames, no gaps, /srv/my", "         takes/x",
      ])
  }

  @Test("reports survive their trip through JSON")
  func json() throws {
    let order = report([answer("a", .refused, isWrongState: true)])
    let text = try JSONText.of(order)
    #expect(text.contains("\"schema\":\"recorder.order/1\""))
    #expect(text.contains("\"wrong_state\":true"))
    #expect(!text.contains("\n"))
  }
}
