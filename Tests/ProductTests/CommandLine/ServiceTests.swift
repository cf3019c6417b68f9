import Glibc
import SoundFile
import Synchronization
import TestBuses
import TestFolders
import TestLanes
import Testing
import Units

@Suite("The daemon as a service", .live)
struct ServiceTests {
  @Test("its manager hears that it is ready, lives, what it does, and that it ends within 5 s")
  func service() throws {
    let place = TestFolder()
    let manager = ServiceManagerStub(in: place)
    let host = FleetHost(
      "served", ppm: 0, group: "service-\(getpid())",
      variables: ["NOTIFY_SOCKET=" + manager.path, "WATCHDOG_USEC=60000000"])
    let child = try #require(host.child)
    #expect(manager.hears("READY=1"))
    #expect(manager.hears("WATCHDOG=1"))
    #expect(manager.hears("STATUS=idle · 1 host"))
    #expect(host.run("start", "--in", "0s", "--take", "Unit").code == 0)
    #expect(manager.hears("STATUS=rolling Unit T1 · 1 host"))
    #expect(host.waitFor("\"first_sample\"", seconds: 10))
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
    #expect(manager.hears("STOPPING=1"))
    let file = try #require(host.place.files(".wav").first)
    #expect(try SoundFileReader(path: file).frames.value > 4800)
    #expect(host.place.files(".part").isEmpty)
  }

  @Test("it says that it lives twice in each watchdog span, and no more once it is stuck")
  func watchdog() throws {
    let place = TestFolder()
    let manager = ServiceManagerStub(in: place)
    let host = FleetHost(
      "watched", ppm: 0, group: "watched-\(getpid())",
      variables: ["NOTIFY_SOCKET=" + manager.path, "WATCHDOG_USEC=400000"])
    let child = try #require(host.child)
    #expect(manager.hears("READY=1"))
    // Of five spans each is met, though the machine be busy.
    let before = manager.signs()
    usleep(2_000_000)
    #expect(manager.signs() - before >= 5, "\(manager.heard)")
    // Stuck as a whole: as in an endless loop, or a call that never returns.
    kill(child.pid, SIGSTOP)
    usleep(300_000)
    let stuck = manager.signs()
    usleep(1_200_000)
    #expect(manager.signs() == stuck)
    kill(child.pid, SIGCONT)
    usleep(1_000_000)
    #expect(manager.signs() > stuck)
  }

  @Test("a manager that is stuck, and takes nothing, keeps the daemon from nothing")
  func stuckManager() throws {
    let place = TestFolder()
    let manager = ServiceManagerStub(in: place)
    let host = FleetHost(
      "patient", ppm: 0, group: "patient-\(getpid())",
      variables: ["NOTIFY_SOCKET=" + manager.path, "WATCHDOG_USEC=100000"])
    let child = try #require(host.child)
    try #require(child.says("ready on"))
    // The kernel keeps some ten of its words; a twentieth of a second each.
    usleep(2_000_000)
    #expect(host.run("start", "--in", "0s").code == 0)
    #expect(host.waitFor("\"first_sample\"", seconds: 10))
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 10) == 0)
    #expect(host.place.files(".wav").count == 1)
    #expect(manager.signs() > 0)
  }

  @Test("while it is armed logind keeps the host awake, and no longer")
  func awake() throws {
    let bus = try #require(SessionBus())
    let logind = FakeLogind(address: bus.address)
    defer { logind.stop() }
    let host = FleetHost(
      "awake", ppm: 0, group: "awake-\(getpid())",
      variables: ["DBUS_SYSTEM_BUS_ADDRESS=" + bus.address])
    try #require(host.child?.says("ready on") == true)
    #expect(logind.given.withLock { $0.isEmpty })
    #expect(host.run("arm").code == 0)
    for _ in 0..<100 where logind.given.withLock({ $0.isEmpty }) { usleep(50_000) }
    #expect(logind.reasons.withLock { $0 } == ["sleep:idle|recorder|recording|block"])
    let end = try #require(logind.given.withLock { $0 }.first)
    var descriptor = pollfd(fd: end, events: 0, revents: 0)
    #expect(poll(&descriptor, 1, 1500) == 0, "it is held while the host is armed")
    #expect(host.run("disarm").code == 0)
    #expect(logind.areAllOver)
  }

  @Test("a logind that refuses is told of")
  func refused() throws {
    let bus = try #require(SessionBus())
    let logind = FakeLogind(address: bus.address, refuses: true)
    defer { logind.stop() }
    let host = FleetHost(
      "tired", ppm: 0, group: "tired-\(getpid())",
      variables: ["DBUS_SYSTEM_BUS_ADDRESS=" + bus.address])
    try #require(host.child?.says("ready on") == true)
    #expect(host.run("arm").code == 0)
    #expect(host.child?.says("this user may not keep the host awake while it records") == true)
  }

  @Test("a unit is printed with the options that were given, and nothing is started")
  func unit() {
    let printed = Program.run(["daemon", "--input", "USB Mic", "--print-unit", "--mono"])
    #expect(printed.code == 0)
    #expect(printed.output.contains("/recorder daemon --input \"USB Mic\" --mono\n"))
  }

  @Test(
    "systemd finds nothing amiss in the unit",
    .enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0))
  func verified() throws {
    let place = TestFolder()
    let printed = Program.run(["daemon", "--input", "USB Mic", "--print-unit", "--mono"])
    let unit = place.write(Array(printed.output.utf8), to: "recorder.service")
    let verdict = Program.run(
      ["verify", "--user", unit], of: "/usr/bin/systemd-analyze",
      variables: ["XDG_RUNTIME_DIR=" + place.path])
    #expect(verdict.code == 0, "\(verdict.output) \(verdict.talk)")
    // What it passes over it names with the unit's line.
    #expect(!verdict.talk.contains("recorder.service"), "\(verdict.talk)")
  }

  @Test("the doctor looks at this host without a daemon, and says what it found as JSON too")
  func doctor() {
    let place = TestFolder()
    let quick = Program.run(["doctor", "--quick", "--socket", place.path + "/none"])
    #expect([0, 1].contains(quick.code), "\(quick.talk)")
    #expect(quick.output.contains("daemon"))
    let json = Program.run(["doctor", "--quick", "--json", "--socket", place.path + "/none"])
    #expect(json.output.hasPrefix("{\"findings\":["), "\(json.output)")
    #expect(json.output.contains("\"schema\":\"recorder.doctor/1\""))
    let card = Program.run(
      [
        "doctor", "--json", "--input", "microphone", "--output", place.path, "--socket",
        place.path + "/none",
      ], variables: ["ALSA_CONFIG_PATH=" + place.card(ppm: 40)])
    #expect(card.output.contains("\"check\":\"rate\",\"grade\":\"good\""), "\(card.output)")
    #expect(card.output.contains("\"slowest_ms\""))
    #expect(place.files("recorder-doctor").isEmpty)
  }
}
