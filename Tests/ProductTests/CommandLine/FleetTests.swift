import Glibc
import SoundFile
import TestFolders
import TestLanes
import Testing
import Units

@Suite("Daemons on one machine", .live)
struct FleetTests {
  @Test("arm, start, stop and disarm go from state to state, and are refused where they must")
  func states() throws {
    let host = FleetHost("solo", ppm: 0, group: "solo-\(getpid())")
    try #require(host.child?.says("ready on") == true)
    let ready = host.child?.output ?? ""
    #expect(ready.hasPrefix("{\"schema\":\"recorder.daemon/1\",\"socket\":\"\(host.socket)\""))
    #expect(host.run("stop").code == 3)
    #expect(host.run("disarm").code == 0)
    let armed = host.run("arm", "--take", "First")
    #expect(armed.code == 0)
    #expect(armed.output.contains("armed take 1 “First”: 1 host"))
    #expect(host.run("start", "--in", "0s").code == 0)
    usleep(700_000)
    let refused = host.run("start")
    #expect(refused.code == 3)
    #expect(refused.output.contains("a take is rolling; run: recorder stop"))
    #expect(host.run("arm").code == 3)
    #expect(host.run("disarm").code == 3)
    let stopped = host.run("stop")
    #expect(stopped.code == 0)
    #expect(stopped.output.contains("no gaps"))
    #expect(host.run("status", "--json").output.contains("\"state\":\"armed\""))
    // The next take has the next number and a folder of its own, and keeps its name.
    let again = host.run("start", "--in", "0s")
    #expect(again.output.contains("start take 2 “First”"))
    usleep(500_000)
    #expect(host.run("stop").code == 0)
    #expect(host.run("disarm").code == 0)
    #expect(host.place.files(".wav").count == 2)
    let late = host.run("start", "--in", "100ms")
    #expect(late.code == 0)
    #expect(late.talk.contains("armed first: solo"))
    #expect(late.output.contains("first sample at T0"), "\(late.output)")
    #expect(host.run("status", "--host", "nobody").code == 69)
  }

  @Test("SIGTERM in the middle of a take leaves a whole file and its log, and a quiet end")
  func termination() throws {
    let host = FleetHost("brief", ppm: 20, group: "brief-\(getpid())")
    let child = try #require(host.child)
    try #require(child.says("ready on"))
    #expect(host.run("start", "--in", "0s").code == 0)
    usleep(1_500_000)
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
    let file = try #require(host.place.files(".wav").first)
    #expect(try SoundFileReader(path: file).frames.value > 48_000)
    let log = try #require(host.place.files(".timing.jsonl").first)
    #expect(TestFolder.text(of: log).contains("\"type\":\"summary\""))
    #expect(access(host.socket, F_OK) != 0)
  }

  @Test("three hosts obey one: one T0, one TimeReference, files of their own crystals' lengths")
  func three() throws {
    let group = "trio-\(getpid())"
    let hosts = [("a", 0.0), ("b", 37.5), ("c", -62.25)].map {
      FleetHost($0.0, ppm: $0.1, group: group)
    }
    for host in hosts { try #require(host.child?.says("ready on") == true) }
    try hosts[1].waitUntilInSync(count: 3)
    let started = hosts[1].run("start", "--in", "500ms")
    #expect(started.code == 0)
    #expect(started.output.contains("3 hosts"))
    #expect(started.talk.contains("armed first: a, b, c"))
    sleep(3)
    let stopped = hosts[2].run("stop")
    #expect(stopped.code == 0)
    #expect(stopped.output.contains("3 hosts"))
    var references: Set<String> = []
    var lengths: [Int64] = []
    for host in hosts {
      let log = try #require(host.place.files(".timing.jsonl").first)
      let header = TestFolder.text(of: log).prefix { $0 != "\n" }
      let place = try #require(header.firstRange(of: "\"time_reference\":"))
      references.insert(String(header[place.upperBound...].prefix { $0.isNumber }))
      let file = try #require(host.place.files(".wav").first)
      lengths.append(try SoundFileReader(path: file).frames.value)
    }
    #expect(references.count == 1, "\(references)")
    // Crystals 100 ppm apart count some 15 frames more or fewer in three seconds.
    #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 40, "\(lengths)")
    #expect((lengths.min() ?? 0) > 100_000, "\(lengths)")
  }
}
