import Glibc
import SoundFile
import TestFolders
import TestLanes
import Testing
import Units

@Suite("A disk that does not answer keeps nobody but its writer waiting", .live)
struct HungDiskTests {
  /// A host all of whose files lie on a disk that can be made to hang.
  private final class Host {
    let host: FleetHost
    private let sign = TestFolder()

    init(_ label: String, group: String, variables: [String] = []) {
      host = FleetHost(
        label, ppm: 0, group: group,
        disk: [
          "LD_PRELOAD=\(Program.folder)/libCFaultyDisk.so",
          "FAULTY_DISK_HANG=\(sign.path)/hung",
        ] + variables)
    }

    func hang() { _ = sign.write([], to: "hung") }

    func heal() { unlink(sign.path + "/hung") }

    /// Runs a command; how long it took, in seconds.
    func timed(_ words: String...) -> (result: Program.Result, seconds: Double) {
      let begun = ContinuousClock.now
      let result = Program.run(words + ["--socket", host.socket])
      return (result, begun.duration(to: .now) / .seconds(1))
    }
  }

  @Test("for 5 s of a take: status, marks, heartbeats and the watchdog go on, and no frame is lost")
  func rolling() throws {
    let place = TestFolder()
    let manager = ServiceManagerStub(in: place)
    let group = "hung-\(getpid())"
    let slow = Host(
      "slow", group: group,
      variables: ["NOTIFY_SOCKET=" + manager.path, "WATCHDOG_USEC=1000000"])
    let other = FleetHost("other", ppm: 0, group: group)
    for child in [slow.host.child, other.child] {
      try #require(child?.says("ready on") == true, "\(child?.talk ?? "")")
    }
    try other.waitUntilInSync(count: 2)
    #expect(other.run("start", "--in", "200ms", "--take", "Hung").code == 0)
    #expect(other.waitFor("\"first_sample\"", count: 2, seconds: 10))
    slow.hang()
    let begun = ContinuousClock.now
    let signs = manager.signs()
    var slowest = 0.0
    var told = ""
    while begun.duration(to: .now) < .seconds(5) {
      let asked = slow.timed("status")
      slowest = max(slowest, asked.seconds)
      #expect(asked.result.code == 0, "\(asked.result.talk)")
      told = asked.result.output
      _ = manager.signs()
      usleep(200_000)
    }
    #expect(slowest < 2, "\(slowest) s for a status")
    // Twice a second, though the machine be busy.
    #expect(manager.signs() - signs >= 5, "\(manager.signs() - signs) signs of life")
    #expect(told.contains("!!  slow"), "\(told)")
    #expect(told.contains("does not answer for"), "\(told)")
    #expect(told.contains("what rolls waits in memory, for 10 s"), "\(told)")
    #expect(told.contains("no answer"), "\(told)")
    // What is said of the take that rolls needs no disk.
    let marked = slow.timed("mark", "while it hung")
    #expect(marked.result.code == 0 && marked.seconds < 2, "\(marked)")
    slow.heal()
    for _ in 0..<100 where slow.host.run("status").output.contains("does not answer") {
      usleep(100_000)
    }
    #expect(!slow.host.run("status").output.contains("does not answer"))
    let events = other.run("events", "--json", "--last", "200").output
    #expect(events.contains("\"kind\":\"disk_silent\""), "\(events)")
    #expect(!events.contains("\"kind\":\"host_lost\""), "\(events)")
    let stopped = other.run("stop")
    #expect(stopped.code == 0, "\(stopped.output)")
    #expect(stopped.output.split(separator: "no gaps").count == 3, "\(stopped.output)")
    let file = try #require(slow.host.place.files(".wav").first)
    #expect(try SoundFileReader(path: file).frames.value > 5 * 48_000)
    #expect(try slow.host.log().joined(separator: "\n").contains("while it hung"))
  }

  @Test("while idle it refuses with a sentence, answers at once, and ends when it is told to")
  func idle() throws {
    let slow = Host("slow", group: "hung-idle-\(getpid())")
    try #require(slow.host.child?.says("ready on") == true)
    #expect(slow.host.waitFor("\"disk_free_bytes\"", seconds: 10))
    slow.hang()
    let armed = slow.timed("arm")
    #expect(armed.result.code == 1, "\(armed.result)")
    #expect(armed.seconds < 6, "\(armed.seconds) s")
    #expect(armed.result.output.contains("does not answer"), "\(armed.result)")
    // Once that is known nobody waits for it any longer.
    #expect(slow.host.waitFor("\"disk_silent_s\"", seconds: 10))
    let again = slow.timed("arm")
    #expect(again.result.code == 1 && again.seconds < 4, "\(again)")
    let takes = slow.timed("takes")
    #expect(takes.seconds < 6 && takes.result.talk.contains("slow"), "\(takes)")
    #expect(slow.host.waitFor("\"disk_silent_s\"", seconds: 10))
    let status = slow.timed("status")
    #expect(status.seconds < 2, "\(status.seconds) s")
    #expect(status.result.output.contains("idle"), "\(status.result.output)")
    let child = try #require(slow.host.child)
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 15) == 0, "\(child.talk)")
  }

  @Test("the room that is reported is that of which the alert speaks")
  func oneReading() throws {
    // 150 MB at 48 kHz, 24 bits and one channel are 17 minutes; each look finds 1 MB less.
    let host = FleetHost(
      "full", ppm: 0, group: "room-\(getpid())",
      disk: [
        "LD_PRELOAD=\(Program.folder)/libCFaultyDisk.so", "FAULTY_DISK_FREE=150000000-1000000",
      ])
    try #require(host.child?.says("ready on") == true)
    #expect(host.waitFor("\"disk_minutes_left\"", seconds: 10))
    var seen: Set<Int> = []
    for _ in 0..<8 {
      let text = host.run("status", "--json").output
      let minutes = try #require(Self.number("\"disk_minutes_left\":", in: text))
      let told = try #require(Self.number("\"text\":\"disk: ", in: text))
      #expect(told == minutes.rounded(.down), "\(text)")
      seen.insert(Int(told))
      usleep(600_000)
    }
    #expect(seen.allSatisfy { (10...17).contains($0) }, "\(seen)")
  }

  private static func number(_ key: String, in text: String) -> Double? {
    text.firstRange(of: key).flatMap { place in
      Double(text[place.upperBound...].prefix { $0.isNumber || $0 == "." })
    }
  }
}
