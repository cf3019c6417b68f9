import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("recorder group", .live)
struct GroupCommandTests {
  private func fingerprint(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("fingerprint") }
      .map { String($0.suffix(9)) }
  }

  @Test("made on one host and joined on another: the same fingerprint, and they meet")
  func newAndJoin() throws {
    let one = TestFolder()
    let other = TestFolder()
    let name = "band-\(getpid())"
    let made = Program.run(["group", "new", name, "--state", one.path + "/state"])
    #expect(made.code == 0)
    let line = try #require(made.output.split(separator: "\n").first { $0.hasPrefix("passphrase") })
    let passphrase = String(line.suffix(23))
    #expect(passphrase.split(separator: "-").map(\.count) == [5, 5, 5, 5])
    var found = stat()
    #expect(stat(one.path + "/state/group.json", &found) == 0)
    #expect(found.st_mode & 0o777 == 0o600)
    #expect(!TestFolder.text(of: one.path + "/state/group.json").contains(passphrase))

    let secret = other.write(Array((passphrase + "\n").utf8), to: "secret")
    let joined = Program.run(
      ["group", "join", name, "--state", other.path + "/state", "--passphrase-file", secret])
    #expect(joined.code == 0)
    #expect(fingerprint(joined.output) == fingerprint(made.output))
    let shown = Program.run(["group", "show", "--state", other.path + "/state"])
    #expect(fingerprint(shown.output) == fingerprint(made.output))

    let daemons = [one, other].map { place in
      Child(
        [
          "daemon", "--state", place.path + "/state", "--socket", place.path + "/c.sock",
          "--interface", "lo", "--stop-on-eof",
        ], scratch: place)
    }
    #expect(daemons.allSatisfy { $0.says("is connected") })
    // A host in a group that was given by its passphrase belongs to the same.
    let third = TestFolder()
    let named = Child(
      [
        "daemon", "--state", third.path + "/state", "--socket", third.path + "/c.sock", "--group",
        name, "--passphrase-file", secret, "--interface", "lo", "--stop-on-eof",
      ], scratch: third)
    #expect(named.says("is connected"))
  }

  @Test("no group is replaced, none is shown or left where there is none, and nothing is guessed")
  func refusals() throws {
    let place = TestFolder()
    let state = ["--state", place.path + "/state"]
    let secret = place.write(Array("correct horse".utf8), to: "secret")
    #expect(Program.run(["group", "show"] + state).code == 3)
    #expect(Program.run(["group", "leave"] + state).code == 3)
    #expect(Program.run(["group", "new"] + state).code == 64)
    #expect(Program.run(["group", "show", "band"] + state).code == 64)
    #expect(Program.run(["group", "nwe", "band"] + state).code == 64)
    let empty = place.write([], to: "empty")
    #expect(
      Program.run(["group", "join", "band", "--passphrase-file", empty] + state).code == 78)
    #expect(
      Program.run(["group", "join", "band", "--passphrase-file", secret] + state).code == 0)
    let again = Program.run(["group", "new", "choir"] + state)
    #expect(again.code == 3)
    #expect(again.talk.contains("this host belongs to the group \"band\" already"))
    #expect(Program.run(["group", "leave"] + state).code == 0)
    #expect(Program.run(["group", "new", "choir"] + state).code == 0)
    _ = place.write(Array("{\"version\":1,\"name\":\"x\"}".utf8), to: "state/group.json")
    let damaged = Program.run(["group", "show"] + state)
    #expect(damaged.code == 78)
    #expect(damaged.talk.contains("it is not what this program writes"))
    let daemon = Program.run(
      ["daemon", "--socket", place.path + "/c.sock", "--interface", "lo"] + state)
    #expect(daemon.code == 78)
  }
}
