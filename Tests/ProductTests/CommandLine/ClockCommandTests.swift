import Control
import FoundationEssentials
import Glibc
import TestFolders
import TestLanes
import Testing

/// Two daemons without cards; the second is under a clock that is 7000 s ahead and 40 ppm fast.
@Suite("clock, wait and session on running daemons", .live)
struct ClockCommandTests {
  private final class Host {
    let place = TestFolder()
    private(set) var child: Child?

    init(_ label: String, group: String, skew: [String] = []) {
      let passphrase = place.write(Array("a test's own".utf8), to: "passphrase")
      child = Child(
        [
          "daemon", "--state", place.path + "/state", "--socket", socket, "--name", label,
          "--group", group, "--passphrase-file", passphrase, "--interface", "lo", "--stop-on-eof",
          "--sync-interval", "200ms",
        ],
        scratch: place,
        variables: skew.isEmpty
          ? [] : ["LD_PRELOAD=" + Program.folder + "/libCSkewedClock.so"] + skew)
    }

    var socket: String { place.path + "/c.sock" }

    func run(_ words: String...) -> Program.Result { Program.run(words + ["--socket", socket]) }

    func clock() throws -> ClockReport {
      try JSONDecoder().decode(ClockReport.self, from: Data(run("clock", "--json").output.utf8))
    }

    func session() throws -> SessionReport {
      let result = run("session", "show", "--json")
      return try JSONDecoder().decode(SessionReport.self, from: Data(result.output.utf8))
    }
  }

  private static let offset: Int64 = 7_000_000_000_000

  private func pair() throws -> (first: Host, second: Host) {
    let group = "clock-\(getpid())"
    let first = Host("first", group: group)
    try #require(first.child?.says("ready on") == true)
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_RAW, &now)
    let origin = Int64(now.tv_sec) * 1_000_000_000
    let second = Host(
      "second", group: group,
      skew: [
        "SKEWED_CLOCK_PPM=40", "SKEWED_CLOCK_ORIGIN_NS=\(origin)",
        "SKEWED_CLOCK_RAW_OFFSET_NS=\(Self.offset)",
      ])
    try #require(second.child?.says("ready on") == true)
    for _ in 0..<100 {
      if try second.clock().role == .follower { break }
      usleep(100_000)
    }
    return (first, second)
  }

  @Test("what they say agrees with the skew that was planted, and with each other")
  func truth() throws {
    let (first, second) = try pair()
    #expect(first.run("wait", "--sync", "1us", "--timeout", "1s").code == 0)
    let waited = second.run("wait", "--sync", "1ms", "--timeout", "20s")
    #expect(waited.code == 0)
    #expect(waited.output.hasPrefix("in sync: ±"))
    let late = second.run("wait", "--sync", "1ns", "--timeout", "300ms")
    #expect(late.code == 5)

    let report = try second.clock()
    #expect(report.role == .follower)
    #expect(report.coordinatorLabel == "first")
    #expect(report.timeSource == "peers")
    // The planted 40 ppm have made some 100 us of a few seconds; the rest is the sync's own.
    let offset = try #require(report.offsetNs)
    #expect(abs(offset + Self.offset) < 10_000_000)
    #expect(try #require(report.boundNs) < 1_000_000)
    #expect(try first.clock().role == .coordinator)

    // Ten lines a second of our own reading, its domain, and the offset.
    let place = TestFolder()
    let watch = Child(["clock", "--watch", "--csv", "--socket", second.socket], scratch: place)
    usleep(1_500_000)
    kill(watch.pid, SIGINT)
    _ = watch.wait(seconds: 5)
    let lines = watch.output.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(lines.first == ["t_ns", "domain", "offset_ns"])
    let rows = lines.dropFirst()
    #expect((8...20).contains(rows.count))
    #expect(rows.allSatisfy { $0.count == 3 && $0[1] == "raw" })
    let readings = rows.compactMap { Int64($0[0]) }
    #expect(readings == readings.sorted() && Set(readings).count == rows.count)
    #expect(rows.allSatisfy { abs((Int64($0[2]) ?? 0) + Self.offset) < 10_000_000 })
  }

  @Test("a new session is begun on all hosts, by whichever is asked")
  func renewal() throws {
    let (first, second) = try pair()
    let old = try first.session()
    #expect(try second.session().id == old.id)
    let result = second.run("session", "new")
    #expect(result.code == 0)
    #expect(result.output.hasPrefix("session     "))
    let new = try first.session()
    #expect(new.id != old.id)
    #expect(new.anchorSharedNs == old.anchorSharedNs)
    #expect(new.anchorUnixNs > old.anchorUnixNs)
    #expect(try second.session().id == new.id)
    let age = try #require(try second.session().ageNs)
    #expect(age > 0 && age < 20_000_000_000)
  }
}
