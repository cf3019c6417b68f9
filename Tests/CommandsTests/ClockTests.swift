import Control
import TestLanes
import Testing
import Units

@testable import Commands

@Suite("The clock command", .computing)
struct ClockTests {
  private func report(_ role: ClockReport.Role) -> ClockReport {
    var report = ClockReport(peer: PeerID(high: 1, low: 0), role: role)
    report.hostNs = 5_000_000_000
    report.offsetNs = -7_200_000_001_234
    report.offsetBoundNs = 10_500
    report.boundNs = 10_500
    report.jitterBoundNs = 1500
    report.pathLimitNs = 9000
    return report
  }

  private func line(_ words: String...) throws -> ParsedLine { try CommandLineParser.parse(words) }

  private let terminal = Terminal(color: .never) { _ in nil }

  @Test("a follower's line has its reading, the domain and the offset; others have none")
  func table() {
    #expect(ClockCSV.header == "t_ns,domain,offset_ns")
    #expect(ClockCSV.line(report(.follower)) == "5000000000,raw,-7200000001234")
    #expect(ClockCSV.line(report(.holdover)) == "5000000000,raw,-7200000001234")
    for role in [ClockReport.Role.coordinator, .unsynced] {
      #expect(ClockCSV.line(report(role)) == nil)
    }
    var unknown = report(.follower)
    unknown.offsetNs = nil
    #expect(ClockCSV.line(unknown) == nil)
  }

  @Test("people see who is followed, and how well")
  func view() {
    var follower = report(.follower)
    follower.coordinator = PeerID(high: 0xabcd << 48, low: 0)
    follower.coordinatorLabel = "rec-a"
    follower.skewPpm = -12.3456
    follower.stamp = "kernel"
    follower.floorRoundTripNs = 18_000
    follower.exchanges = 48
    follower.loss = 0.0234
    follower.lastExchangeSecondsAgo = 2.04
    follower.session = session
    #expect(
      ClockView(report: follower).lines == [
        "reference   rec-a  abcd", "session     00000000000000070000000000000009",
        "source      the hosts among themselves", "bound       ±1.5 us (path ≤ 9.0 us)",
        "offset      −7200.0 s ±11 us",
        "skew        −12.346 ppm", "stamps      kernel", "round trip  18 us",
        "exchange    2.0 s ago, 48 in use", "loss        2.3 %", "path        –",
        "holdover    no",
      ])
    let alone = ClockView(report: ClockReport(peer: PeerID(high: 1, low: 0), role: .unsynced))
    #expect(alone.lines.first == "reference   none: this host is not in sync yet")
    #expect(alone.bound == "unknown")
    #expect(ClockView(report: report(.holdover)).lines.last?.hasPrefix("holdover    yes") == true)
  }

  private var session: SessionReport {
    SessionReport(
      Session(
        id: SessionID(high: 7, low: 9), anchorUnixNanoseconds: 1_777_659_300_250_000_000,
        anchorErrorNanoseconds: 3_000_000, utcOffsetSeconds: 7200),
      now: SharedInstant(nanoseconds: SharedInstant.sessionStart.nanoseconds + 90_000_000_000))
  }

  @Test("a session's anchor is shown in its own zone, with its error and age")
  func sessions() {
    #expect(
      SessionView(session: session).lines == [
        "session     00000000000000070000000000000009",
        "anchor      2026-05-01T20:15:00.250+02:00 ±3.0 ms", "UTC offset  +02:00",
        "age         1m30",
      ])
  }

  @Test("the bound is jitter and path together, and is met at its limit")
  func bound() {
    let follower = report(.follower)
    #expect(WaitCommand.isMet(.nanoseconds(10_500), by: follower))
    #expect(!WaitCommand.isMet(.nanoseconds(10_499), by: follower))
    var unsynced = follower
    unsynced.boundNs = nil
    #expect(!WaitCommand.isMet(.seconds(1), by: unsynced))
  }

  @Test("what to wait for has usual values, units, and limits")
  func waiting() throws {
    let usual = try WaitCommand(line: line("wait"), terminal: terminal)
    #expect(usual.bound == .microseconds(50) && usual.timeout == .seconds(30))
    for unit in ["us", "\u{b5}s", "\u{3bc}s"] {
      let words = try line("wait", "--sync", "80\(unit)", "--timeout", "2m")
      let given = try WaitCommand(line: words, terminal: terminal)
      #expect(given.bound == .microseconds(80) && given.timeout == .seconds(120))
    }
    for words in [["--sync", "0s"], ["--sync", "2s"], ["--sync", "x"], ["--timeout=-1s"]] {
      #expect(throws: UsageError.self) {
        try WaitCommand(line: CommandLineParser.parse(["wait"] + words), terminal: terminal)
      }
    }
  }

  @Test("options that need or exclude each other, and a word that session does not know")
  func refusals() throws {
    #expect(throws: UsageError.alone(option: "--csv", needs: "--watch")) {
      try ClockCommand(line: line("clock", "--csv"), terminal: terminal)
    }
    #expect(throws: UsageError.together(one: "--csv", other: "--json")) {
      try ClockCommand(line: line("clock", "--csv", "--watch", "--json"), terminal: terminal)
    }
    #expect(throws: UsageError.unwantedOperand("list", command: "session")) {
      try SessionCommand(line: line("session", "list"), terminal: terminal)
    }
    #expect(throws: UsageError.self) { try line("session") }
  }

  @Test(
    "no daemon has its code at once, and after the time when it is waited for",
    arguments: [["clock"], ["session", "show"], ["wait", "--timeout", "0s"]])
  func noDaemon(words: [String]) {
    #expect(
      RecorderCommand.run(words + ["--socket", "/tmp/none-\(UInt64.random(in: 0...(.max)))"])
        == ExitCode.noDaemon.rawValue)
  }

  @Test(
    "dates as text are read back",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T12:00:00.000Z", 0),
      ("2024-12-31T23:59:59.999-03:30", -12_600), ("2026-03-01T00:00:00.250+14:00", 50_400),
      ("2199-12-31T00:00:00.000Z", 0),
    ])
  func dates(text: String, offset: Int) throws {
    let instant = try #require(CivilDate.parse(text))
    #expect(CivilDate.text(unixNanoseconds: instant, offsetSeconds: offset) == text)
  }
}
