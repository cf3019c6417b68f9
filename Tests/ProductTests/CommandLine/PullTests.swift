import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("Bringing a take's files together", .live)
struct PullTests {
  @Test("files of both hosts come together, once; what is renamed or missing is told; then aligned")
  func together() throws {
    let group = "pull-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group)
    for host in [one, two] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 2)
    #expect(one.run("start", "--in", "200ms", "--take", "Pull").code == 0)
    sleep(2)
    #expect(one.run("stop").code == 0)
    // Digests are computed when the files are closed.
    for _ in 0..<50 where digests(in: two) == 0 { usleep(100_000) }
    #expect(one.run("pull", "9").code == 1)
    #expect(one.run("pull").code == 64)
    let pulled = one.run("pull", "1")
    #expect(pulled.code == 0, "\(pulled.output) \(pulled.talk)")
    #expect(pulled.output.contains("3 files pulled"), "\(pulled.output)")
    #expect(pulled.output.contains("3 files here already"), "\(pulled.output)")
    #expect(one.place.files(".wav").count == 2)
    #expect(one.place.files(".pull").isEmpty)
    let theirs = try #require(two.place.files(".wav").first)
    let name = String(theirs.split(separator: "/").last ?? "")
    let ours = try #require(one.place.files(name).first)
    #expect(TestFolder.text(of: ours) == TestFolder.text(of: theirs))
    // Once more there is nothing to fetch.
    #expect(one.run("pull", "--all").output.split(separator: "here already").count == 3)
    // One that was begun is gone on with, and what was wrong in it is noticed.
    let half = one.place.write([UInt8](repeating: 7, count: 57_344), to: "half")
    #expect(rename(half, ours + ".pull") == 0 && unlink(ours) == 0)
    #expect(one.run("pull", "1").code == 0)
    #expect(TestFolder.text(of: ours) == TestFolder.text(of: theirs))
    // Renamed there: known by its digest, and pulled under its own name.
    #expect(unlink(ours) == 0)
    let other = theirs.split(separator: "/").dropLast().joined(separator: "/")
    #expect(rename(theirs, "/\(other)/other.wav") == 0)
    let renamed = one.run("pull", "1")
    #expect(renamed.code == 0, "\(renamed.output)")
    #expect(renamed.output.contains("it is called other.wav on two now"), "\(renamed.output)")
    // Another file of the name is left alone; one that is gone is told.
    #expect(unlink(ours) == 0)
    let mine = one.place.write([1, 2, 3], to: "mine")
    #expect(rename(mine, ours) == 0)
    let differs = one.run("pull", "1")
    #expect(differs.code == 2)
    #expect(differs.output.contains("another file of this name is here"), "\(differs.output)")
    #expect(unlink(ours) == 0 && unlink("/\(other)/other.wav") == 0)
    let missing = one.run("pull", "1", "--json")
    #expect(missing.code == 2)
    #expect(missing.output.contains("\"state\":\"missing\""), "\(missing.output)")
    #expect(one.run("pull", "1", "--to", one.place.path + "/elsewhere").code == 2)
    #expect(one.place.files(".wav").filter { $0.contains("/elsewhere/") }.count == 1)
  }

  @Test("while anything is armed a megabyte a second is pulled; a pull that was cut off goes on")
  func gentle() throws {
    let group = "gentle-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group, channels: 16)
    for host in [one, two] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 2)
    #expect(one.run("start", "--in", "200ms", "--take", "Big").code == 0)
    sleep(3)
    #expect(one.run("stop").code == 0)
    let theirs = try #require(two.place.files(".wav").first)
    let bytes = size(of: theirs)
    try #require(bytes > 4_000_000, "\(bytes)")
    // Both are armed still.
    var begun = ContinuousClock.now
    let slow = one.run("pull", "1")
    let slowly = begun.duration(to: .now)
    #expect(slow.code == 0, "\(slow.output) \(slow.talk)")
    #expect(slowly > .seconds(Double(bytes) / 1e6 * 0.9), "\(bytes) bytes in \(slowly)")
    let name = String(theirs.split(separator: "/").last ?? "")
    let ours = try #require(one.place.files(name).first)
    #expect(TestFolder.text(of: ours) == TestFolder.text(of: theirs))
    // Once more, and the daemon that pulls is killed in the middle.
    #expect(unlink(ours) == 0)
    let cut = Child(["pull", "1", "--socket", one.socket], scratch: TestFolder())
    for _ in 0..<100 where size(of: ours + ".pull") < 1_000_000 { usleep(50_000) }
    one.crash()
    #expect(cut.wait(seconds: 30) != 0)
    let left = size(of: ours + ".pull")
    #expect(left >= 1_000_000 && left < bytes)
    one.startAgain()
    try #require(one.child?.says("ready on") == true)
    try one.waitUntilInSync(count: 2)
    #expect(one.run("disarm").code == 0)
    begun = .now
    let rest = one.run("pull", "1")
    #expect(rest.code == 0, "\(rest.output) \(rest.talk)")
    #expect(begun.duration(to: .now) < slowly)
    #expect(TestFolder.text(of: ours) == TestFolder.text(of: theirs))
    #expect(one.place.files(".pull").isEmpty)
  }

  private func size(of path: String) -> Int {
    var found = stat()
    return stat(path, &found) == 0 ? Int(found.st_size) : 0
  }

  @Test("align --pull fetches first")
  func aligned() throws {
    let group = "pull-align-\(getpid())"
    let one = FleetHost("one", ppm: 0, group: group)
    let two = FleetHost("two", ppm: 20, group: group)
    for host in [one, two] { try #require(host.child?.says("ready on") == true) }
    try one.waitUntilInSync(count: 2)
    #expect(one.run("start", "--in", "200ms").code == 0)
    sleep(3)
    #expect(one.run("stop").code == 0)
    let aligned = one.run("align", "1", "--pull", "--only", "report")
    #expect(aligned.code == 0, "\(aligned.output) \(aligned.talk)")
    #expect(aligned.output.contains("one") && aligned.output.contains("two"))
  }

  private func digests(in host: FleetHost) -> Int {
    host.place.files(".take.json").filter { TestFolder.text(of: $0).contains("\"sha256\"") }.count
  }
}
