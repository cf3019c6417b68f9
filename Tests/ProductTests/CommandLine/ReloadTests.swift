import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("A daemon reads its settings again", .live)
struct ReloadTests {
  @Test("on SIGHUP: good ones are gone by, bad ones are told and change nothing")
  func hangUp() throws {
    let place = TestFolder()
    let path = place.write(Array("name = before\n".utf8), to: "r.conf")
    let socket = place.path + "/c.sock"
    let daemon = Child(
      [
        "daemon", "--config", path, "--state", place.path + "/state", "--socket", socket,
        "--interface", "lo", "--stop-on-eof",
      ], scratch: place)
    try #require(daemon.says("ready on"))
    let before = Program.run(["status", "--json", "--socket", socket]).output
    #expect(before.contains("\"label\":\"before\""))

    _ = place.write(Array("nmae = after\n".utf8), to: "r.conf")
    kill(daemon.pid, SIGHUP)
    #expect(daemon.says("r.conf:1: there is no setting \"nmae\"; did you mean name?"))
    #expect(daemon.says("recorder: goes on with the settings as they were"))
    #expect(Program.run(["status", "--json", "--socket", socket]).output.contains("before"))

    _ = place.write(Array("name = after\n".utf8), to: "r.conf")
    kill(daemon.pid, SIGHUP)
    #expect(daemon.says("reading the settings again"))
    var after = ""
    for _ in 0..<100 where !after.contains("\"label\":\"after\"") {
      usleep(50_000)
      after = Program.run(["status", "--json", "--socket", socket]).output
    }
    #expect(after.contains("\"label\":\"after\""))
    kill(daemon.pid, SIGTERM)
    #expect(daemon.wait(seconds: 5) == 0)
  }
}
