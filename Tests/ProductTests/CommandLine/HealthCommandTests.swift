import Glibc
import SoundFile
import TestFolders
import TestLanes
import Testing
import Units

@Suite("What goes wrong is told on every host", .live)
struct HealthCommandTests {
  @Test("a killed host is told lost, comes back, and goes on with its take in another file")
  func killedAndBack() throws {
    let group = "health-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group)
    for host in [one, two] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 2)
    // Cards that have run for a while tell at once where a take begins.
    #expect(one.run("arm", "--take", "Crash").code == 0)
    sleep(5)
    let started = one.run("start", "--require", "all", "--in", "300ms")
    #expect(started.code == 0, "\(started.output) \(started.talk)")
    #expect(started.output.split(separator: "first sample at T0").count == 3, "\(started.output)")
    usleep(700_000)
    two.crash()
    #expect(waitFor("\"kind\":\"host_lost\"", in: one))
    let status = one.run("status")
    #expect(status.output.contains("!!  two  not heard any more"), "\(status.output)")
    // Two is absent now: nothing is begun without it.
    let refused = one.run("arm", "--require", "two")
    #expect(refused.code == 69, "\(refused.talk)")
    two.startAgain()
    try #require(two.child?.says("goes on with take Crash T1") == true, "\(two.child?.talk ?? "")")
    #expect(waitFor("it goes on with take Crash T1 in another file", in: one))
    #expect(waitFor("\"phase\":\"cleared\"", in: one))
    sleep(1)
    let stopped = one.run("stop")
    #expect(stopped.code == 0, "\(stopped.output)")
    // The interrupted file is made whole aside.
    for _ in 0..<50 where two.place.files(".wav").count < 2 { usleep(100_000) }
    let files = two.place.files(".wav")
    #expect(files.count == 2, "\(files)")
    let folders = Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    #expect(folders.count == 1, "\(files)")
    #expect(files.last?.hasSuffix("_002.wav") == true, "\(files)")
    for file in files { #expect(try SoundFileReader(path: file).frames.value > 4800, "\(file)") }
    #expect(two.place.files(".part").isEmpty)
    let log = try #require(two.place.files("_002.timing.jsonl").first)
    #expect(TestFolder.text(of: log).contains("resumed: the daemon had ended"))
    // A quiet end leaves nothing to go on with.
    let child = try #require(two.child)
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
    #expect(two.place.files("/run.json").isEmpty)
    #expect(waitFor("the daemon was ended by its user", in: one))
  }

  @Test("alone, a killed daemon goes on with its take too, and tells that it was restarted")
  func alone() throws {
    let host = FleetHost("solo", ppm: 0, group: "restart-\(getpid())")
    try #require(host.child?.says("ready on") == true)
    #expect(host.run("start", "--in", "100ms", "--take", "Alone").code == 0)
    #expect(host.waitFor("\"first_sample\"", seconds: 10))
    usleep(700_000)
    host.crash()
    host.startAgain()
    try #require(host.child?.says("goes on with take Alone T1") == true)
    #expect(waitFor("restarted", in: host))
    #expect(host.waitFor("\"first_sample\"", seconds: 10))
    #expect(host.run("stop").code == 0)
    for _ in 0..<50 where host.place.files(".wav").count < 2 { usleep(100_000) }
    // What was held as a draft at the crash may be a third.
    let files = host.place.files(".wav")
    #expect((2...3).contains(files.count), "\(files)")
    #expect(files.last?.hasSuffix("_002.wav") == true, "\(files)")
    // It does not go on once more.
    host.crash()
    host.startAgain()
    try #require(host.child?.says("ready on") == true)
    usleep(500_000)
    #expect(host.run("status", "--json").output.contains("\"state\":\"idle\""))
  }

  @Test("events are shown and followed, a line of JSON each; the latest on demand")
  func events() throws {
    let host = FleetHost("solo", ppm: 0, group: "events-\(getpid())")
    try #require(host.child?.says("ready on") == true)
    let scratch = TestFolder()
    let follower = Child(
      ["events", "--follow", "--json", "--socket", host.socket], scratch: scratch)
    #expect(host.run("start", "--in", "0s").code == 0)
    #expect(host.run("stop").code == 0)
    for _ in 0..<50 where !follower.output.contains("is closed") { usleep(100_000) }
    let lines = follower.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("{\"alert\":{") && $0.hasSuffix("}") }, "\(lines)")
    #expect(lines.contains { $0.contains("is rolling") && $0.contains("recorder.event/1") })
    #expect(lines.contains { $0.contains("is closed") })
    kill(follower.pid, SIGKILL)
    let last = host.run("events", "--last", "1")
    #expect(last.code == 0)
    #expect(last.output.split(separator: "\n").count == 1)
    #expect(host.run("events", "--last", "501").code == 64)
  }

  @Test("with fewer hosts than required nothing begins; a lone host that needs nobody ends with 0")
  func require() throws {
    let host = FleetHost("solo", ppm: 0, group: "require-\(getpid())")
    try #require(host.child?.says("ready on") == true)
    let few = host.run("start", "--require", "2")
    #expect(few.code == 69)
    #expect(few.talk.contains("2 hosts with a card are required, and 1 is there: solo"))
    #expect(host.run("start", "--require", "nobody").code == 69)
    #expect(host.run("start", "--require", "0").code == 64)
    #expect(host.run("status", "--json").output.contains("\"state\":\"idle\""))
    #expect(host.run("start", "--require", "solo", "--in", "0s").code == 0)
    #expect(host.run("stop").code == 0)
    #expect(host.run("arm", "--require", "1").code == 0)
  }

  @Test("a host is called otherwise, remembers what it was called, and still answers to it")
  func naming() throws {
    let place = TestFolder()
    let socket = place.path + "/c.sock"
    let child = Child(
      ["daemon", "--state", place.path + "/state", "--socket", socket, "--interface", "lo"],
      scratch: place)
    try #require(child.says("ready on"))
    let first = Program.run(["name", "rec a", "--socket", socket])
    #expect(first.code == 0, "\(first.talk)")
    try #require(child.says("reading the settings again"))
    for name in ["rec b", "rec c"] {
      var renamed = Program.run(["name", name, "--socket", socket])
      for _ in 0..<50 where renamed.code != 0 {
        usleep(100_000)
        renamed = Program.run(["name", name, "--socket", socket])
      }
      #expect(renamed.talk.contains("it was called"), "\(renamed.talk)")
      for _ in 0..<50
      where !Program.run(["name", "--socket", socket]).output.hasPrefix(name) { usleep(100_000) }
    }
    let names = Program.run(["name", "--socket", socket])
    #expect(names.output.hasPrefix("rec c  "), "\(names.output)")
    #expect(names.output.contains("formerly rec b, rec a"), "\(names.output)")
    let former = Program.run(["status", "--host", "rec a", "--socket", socket])
    #expect(former.code == 0 && former.output.contains("rec c"), "\(former.output)")
    #expect(Program.run(["name", "", "--socket", socket]).code == 64)
    kill(child.pid, SIGTERM)
    #expect(child.wait(seconds: 5) == 0)
  }

  @Test("a host that is gone can be forgotten, and whoever names it is told that it is absent")
  func forgotten() throws {
    let group = "forget-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group)
    let three = FleetHost("three", ppm: 10, group: group)
    for host in [one, two, three] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 3)
    #expect(one.run("forget", "two").code == 3)
    let itself = one.run("forget", "one")
    #expect(itself.code == 3)
    #expect(itself.talk.contains("one is this host itself"), "\(itself.talk)")
    #expect(one.run("forget", "nobody").code == 69)
    #expect(one.run("start", "--in", "0s", "--take", "Lost").code == 0)
    sleep(1)
    two.crash()
    #expect(waitFor("\"kind\":\"host_lost\"", in: one))
    // The others are told all the same; of those named one is absent.
    for words in [["mark", "there"], ["note", "gone"], ["circle"]] {
      let told = Program.run(words + ["--host", "one,two", "--socket", one.socket])
      #expect(told.code == 69, "\(words): \(told.output) \(told.talk)")
      #expect(told.output.contains("one"), "\(words): \(told.output)")
      let none = Program.run(words + ["--host", "two", "--socket", one.socket])
      #expect(none.code == 69, "\(words): \(none.output) \(none.talk)")
      #expect(none.talk.contains("two is not heard; nothing was done"), "\(words): \(none.talk)")
    }
    let stopped = one.run("stop", "--host", "one,two")
    #expect(stopped.code == 69, "\(stopped.output)")
    #expect(stopped.output.contains("no gaps"), "\(stopped.output)")
    #expect(one.run("stop", "--host", "two").code == 69)
    #expect(one.run("disarm", "--host", "two").code == 69)
    // What went wrong stands in the log of the take too.
    let log = try one.log().joined(separator: "\n")
    #expect(log.contains("\"kind\":\"host_lost\""), "\(log.suffix(2000))")
    #expect(log.contains("\"text\":\"there\""), "\(log.suffix(2000))")
    // A host that does not answer in time is named, and is told when it is back.
    let frozen = try #require(three.child)
    kill(frozen.pid, SIGSTOP)
    let forgotten = one.run("forget", "two")
    kill(frozen.pid, SIGCONT)
    #expect(forgotten.code == 2, "\(forgotten.output) \(forgotten.talk)")
    #expect(
      forgotten.output.contains("three  missing: it did not answer; it is told when it is heard"),
      "\(forgotten.output)")
    #expect(one.run("forget", "two").code == 69)
    try one.waitUntilInSync(count: 2)
    for _ in 0..<100 where three.run("status").output.contains("two") { usleep(100_000) }
    #expect(!three.run("status").output.contains("two"))
    for _ in 0..<100 where one.run("status").output.contains("two") { usleep(100_000) }
    #expect(waitFor("two is forgotten", in: one))
    #expect(!one.run("status").output.contains("two"))
    #expect(one.run("stop", "--host", "two").code == 69)
    two.startAgain()
    try #require(two.child?.says("ready on") == true)
    try one.waitUntilInSync(count: 3)
  }

  @Test("a host that was not heard when another was forgotten forgets it as soon as it is heard")
  func forgottenLater() throws {
    let group = "forget-later-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group)
    let three = FleetHost("three", ppm: 10, group: group)
    for host in [one, two, three] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 3)
    two.crash()
    for host in [one, three] {
      #expect(host.waitFor("\"state\":\"lost\"", seconds: 12), "\(host.run("status").output)")
    }
    let frozen = try #require(three.child)
    kill(frozen.pid, SIGSTOP)
    #expect(one.waitFor("\"state\":\"lost\"", count: 2, seconds: 12))
    let told = one.run("forget", "two")
    #expect(told.code == 0, "\(told.output) \(told.talk)")
    #expect(
      told.talk.contains("three is not heard, and will be told as soon as heard")
        || told.output.contains("three is not heard, and will be told as soon as heard"),
      "\(told.output) \(told.talk)")
    kill(frozen.pid, SIGCONT)
    for _ in 0..<120 where three.run("status").output.contains("two") { usleep(100_000) }
    #expect(!three.run("status").output.contains("two"))
    #expect(!one.run("status").output.contains("two"))
    // It was not sent away: it is known again as soon as it is heard, and stays.
    two.startAgain()
    try #require(two.child?.says("ready on") == true)
    try one.waitUntilInSync(count: 3)
    sleep(2)
    #expect(three.run("status").output.contains("two"))
  }

  @Test("a lone host goes on with its take after its machine has booted")
  func booted() throws {
    let host = FleetHost("boot", ppm: 0, group: "boot-\(getpid())")
    try #require(host.child?.says("ready on") == true)
    #expect(host.run("start", "--in", "0s", "--take", "Boot").code == 0)
    sleep(2)
    host.crash()
    // Another boot is told by its id alone.
    for name in ["/state/run.json", "/state/peerclock.json"] {
      let path = host.place.path + name
      let id = try #require(
        TestFolder.text(of: "/proc/sys/kernel/random/boot_id").split(separator: "\n").first)
      let text = TestFolder.text(of: path)
      try #require(text.contains(id), "\(text)")
      let other = text.split(separator: id, omittingEmptySubsequences: false)
        .joined(separator: "00000000-0000-4000-8000-000000000000")
      _ = host.place.write(
        Array(other.utf8), to: "state/" + (name.split(separator: "/").last ?? ""))
    }
    host.startAgain()
    try #require(host.child?.says("goes on with take Boot T1") == true, "\(host.child?.talk ?? "")")
    sleep(1)
    let stopped = host.run("stop")
    #expect(stopped.code == 0, "\(stopped.output) \(stopped.talk)")
    for _ in 0..<50 where host.place.files(".wav").count < 2 { usleep(100_000) }
    let files = host.place.files(".wav")
    #expect(files.count == 2, "\(files)")
    #expect(
      Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") }).count == 1)
    for file in files { #expect(try SoundFileReader(path: file).frames.value > 4800, "\(file)") }
  }

  private func waitFor(_ text: String, in host: FleetHost) -> Bool {
    for _ in 0..<120 {
      if host.run("events", "--json", "--last", "100").output.contains(text) { return true }
      usleep(100_000)
    }
    return false
  }
}
