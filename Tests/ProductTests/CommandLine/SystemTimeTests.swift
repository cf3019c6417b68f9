import Control
import FoundationEssentials
import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("Time of the system's own clock", .live)
struct SystemTimeTests {
  /// A daemon without a card under an oscillator of its own.
  private final class Host {
    let place = TestFolder()
    private(set) var child: Child?

    init(_ label: String, group: String, skew: [String]) {
      let passphrase = place.write(Array("a test's own".utf8), to: "passphrase")
      child = Child(
        [
          "daemon", "--state", place.path + "/state", "--socket", place.path + "/c.sock", "--name",
          label, "--group", group, "--passphrase-file", passphrase, "--interface", "lo",
          "--stop-on-eof", "--time-source", "system", "--utc-anchor", "2026-01-01",
        ],
        scratch: place,
        variables: ["LD_PRELOAD=" + Program.folder + "/libCSkewedClock.so"] + skew)
    }

    func clock() throws -> ClockReport {
      let result = Program.run(["clock", "--json", "--socket", place.path + "/c.sock"])
      return try JSONDecoder().decode(ClockReport.self, from: Data(result.output.utf8))
    }
  }

  @Test("two hosts have one session without agreeing on it, and see how far they are apart")
  func twoHosts() throws {
    let group = "utc-\(getpid())"
    let one = Host(
      "one", group: group,
      skew: ["SKEWED_CLOCK_DISCIPLINE=3,60,37", "SKEWED_CLOCK_PPM=20"])
    let other = Host(
      "other", group: group,
      skew: [
        "SKEWED_CLOCK_DISCIPLINE=5,80,37", "SKEWED_CLOCK_PPM=-35", "SKEWED_CLOCK_OFFSET_NS=400000",
        "SKEWED_CLOCK_RAW_OFFSET_NS=7000000000000",
      ])
    try #require(one.child?.says("ready on") == true)
    try #require(other.child?.says("ready on") == true)
    var reports = [try one.clock(), try other.clock()]
    for _ in 0..<100 where !reports.contains(where: { $0.disagreementNs != nil }) {
      usleep(100_000)
      reports = [try one.clock(), try other.clock()]
    }
    #expect(reports[0].session?.id == reports[1].session?.id)
    #expect(reports[0].session?.anchorUnixNs == 1_767_225_600_000_000_000)
    // Bounds are the discipline's own, and a little for reading the clock.
    #expect((60_000..<70_000).contains(reports[0].boundNs ?? 0))
    #expect(reports[1].pathLimitNs == 75_000)
    let follower = try #require(reports.first { $0.disagreementNs != nil })
    let ahead = try #require(follower.disagreementNs)
    let expected: Int64 = follower.peer == reports[1].peer ? 400_000 : -400_000
    #expect(abs(ahead - expected) < 50_000)
    #expect((140_000..<250_000).contains(follower.disagreementBoundNs ?? 0))
    // Hosts tell of themselves once a second.
    var status = ""
    for _ in 0..<50 where !status.contains("the others' disagree by") {
      usleep(100_000)
      status = Program.run(["status", "--socket", one.place.path + "/c.sock"]).output
    }
    #expect(status.contains("the others' disagree by"))
  }

  @Test("where nobody keeps the system's clock the daemon serves, and says what to do")
  func undisciplined() throws {
    let host = Host("free", group: "free-\(getpid())", skew: ["SKEWED_CLOCK_DISCIPLINE=none"])
    try #require(host.child?.says("ready on") == true)
    #expect(host.child?.says("start chrony, ntpd or linuxptp on this host") == true)
    let report = try host.clock()
    #expect(report.role == .unsynced)
    #expect(report.session != nil)
    let refused = Program.run(["arm", "--socket", host.place.path + "/c.sock"])
    #expect(refused.code == 1)
    #expect(refused.talk.contains("no shared time yet"))
  }
}
