import Glibc
import SoundFile
import TestLanes
import Testing
import Units

/// Takes that begin in the past, end ahead, and are joined by who comes later.
@Suite("Takes and who comes to them", .live)
struct TakeStateTests {
  private let rolling = "\"state\":\"rolling\""

  @Test("a host that comes to a rolling take joins it, placed right, and ends with the others")
  func lateJoiner() throws {
    let group = "late-\(getpid())"
    let first = FleetHost("a", ppm: 20, group: group)
    try #require(first.child?.says("ready on") == true)
    #expect(first.run("start", "--in", "0s", "--take", "Long").code == 0)
    sleep(1)
    let second = FleetHost("b", ppm: -30, group: group)
    try #require(second.child?.says("ready on") == true)
    #expect(first.waitFor(rolling, count: 2, seconds: 12))
    // A young stream is watched for a while before it is cut.
    #expect(second.waitFor("\"first_sample\"", count: 2, seconds: 12))
    let stopped = first.run("stop")
    #expect(stopped.code == 0 && stopped.output.contains("2 hosts"), "\(stopped.output)")
    #expect(stopped.output.contains("after T0"))
    #expect(try first.number("t0_shared_ns") == (try second.number("t0_shared_ns")))
    let begun = try second.number("first_shared_ns") - (try second.number("t0_shared_ns"))
    #expect(begun > 1_000_000_000 && begun < 30_000_000_000)
    #expect(try second.log().contains { $0.contains("the ring did not reach back") })
    // The order named both; neither begins the take again.
    sleep(2)
    #expect(!first.run("status", "--json").output.contains(rolling))
  }

  @Test("a take begins in the past, and ends at an instant that is set ahead and brought forward")
  func pastAndAhead() throws {
    let host = FleetHost(
      "solo", ppm: 0, group: "ahead-\(getpid())", options: ["--pre-roll", "30s"])
    try #require(host.child?.says("ready on") == true)
    #expect(host.run("arm").code == 0)
    sleep(4)
    let started = host.run("start", "--at", "-3s")
    #expect(started.code == 0 && started.output.contains("late, recovered from its ring"))
    let ahead = host.run("stop", "--in", "1h")
    #expect(ahead.code == 0 && ahead.output.contains("stop take 1 “take” at "), "\(ahead.output)")
    #expect(host.run("status", "--json").output.contains(rolling))
    #expect(host.run("stop", "--in", "500ms").code == 0)
    #expect(host.run("status", "--json").output.contains("\"state\":\"armed\""))
    let file = try #require(host.place.files(".wav").first)
    let frames = try SoundFileReader(path: file).frames.value
    #expect(frames > 3 * 48_000 && frames < 15 * 48_000)
    #expect(try host.number("first_shared_ns") <= (try host.number("t0_shared_ns")) + 10_417)
  }
}
