import Glibc
import TestFolders
import TestLanes
import Testing

@Suite("Bad input gets a sentence and its exit code", .live)
struct BadInputTests {
  private let scratch = TestFolder()

  private func daemon(_ more: String...) -> [String] {
    [
      "daemon", "--state", scratch.path + "/state", "--socket", scratch.path + "/c.sock",
      "--interface", "lo", "--stop-on-eof",
    ] + more
  }

  @Test("what is no command, option or value")
  func usage() {
    let cases: [([String], String)] = [
      ([], "Usage: recorder COMMAND"),
      (["strat"], "did you mean start?"),
      (["status", "--jsno"], "did you mean --json?"),
      (["start", "--in", "soon"], "a duration such as 3s"),
      (["start", "--at", "noon"], "a time such as"),
      (["start", "--in", "1s", "--at", "2026-05-01T20:15:00Z"], "exclude each other"),
      (["arm", "now"], "does not know what to do with \"now\""),
      (["align"], "needs DIR|FILE"),
      (["demo", "--hosts", "13"], "from 2 to 12"),
      (["help", "nothing"], "there is no command"),
      (["status", "--color", "blue"], "auto, always or never"),
      (daemon("--group", "band"), "--group needs --passphrase-file"),
      (daemon("--passphrase-file", "x"), "--passphrase-file needs --group"),
      (daemon("--group", "band", "--passphrase-file", "/none"), "No such file"),
      (daemon("--port", "65536"), "from 0 to 65535"),
      (daemon("--rate", "1"), "from 8000"),
      (["status", "--socket", "/" + String(repeating: "x", count: 107)], "may have 107"),
    ]
    for (words, sentence) in cases {
      let result = Program.run(words)
      #expect(result.code == 64, "\(words)")
      #expect(result.talk.contains(sentence), "\(words): \(result.talk)")
      #expect(result.output == "", "\(words)")
    }
  }

  @Test("without a daemon every client command says how to start one")
  func noDaemon() {
    for command in ["arm", "start", "stop", "disarm", "status"] {
      let socket = scratch.path + "/none.sock"
      let result = Program.run([command, "--socket", socket])
      #expect(result.code == 4)
      #expect(result.talk.contains("no daemon answers at \(socket)"))
      #expect(result.talk.contains("Next: start one on this host: recorder daemon"))
    }
    let json = Program.run(["status", "--json"], variables: ["RECORDER_SOCKET=/none"])
    #expect(json.code == 4)
    #expect(json.output.contains("\"schema\":\"recorder.error/1\""))
    #expect(json.output.contains("\"exit_code\":4"))
  }

  @Test("whoever gives align a take's number is told how it can be fetched")
  func takeNumber() {
    let result = Program.run(["align", "7041"])
    #expect(result.code == 1)
    #expect(result.talk.contains("there is no file or folder \"7041\""))
    #expect(result.talk.contains("recorder align 7041 --pull"))
  }

  @Test("a daemon that cannot be says why")
  func daemons() {
    let cases: [([String], String)] = [
      (daemon("--interface", "nope0"), "no network interface \"nope0\""),
      (daemon("--input", "x", "--output", "/proc/none"), "cannot write to the output folder"),
      (
        ["daemon", "--state", "/proc/none", "--socket", scratch.path + "/c.sock"],
        "the state directory \"/proc/none\" cannot be used"
      ),
    ]
    for (words, sentence) in cases {
      let result = Program.run(words)
      #expect(result.code == 78, "\(words)")
      #expect(result.talk.contains(sentence), "\(words): \(result.talk)")
    }
    #expect(access(scratch.path + "/c.sock", F_OK) != 0)
  }

  @Test("a second daemon on the same state, socket or port is refused; the first goes on")
  func second() throws {
    let first = Child(daemon("--port", "0"), scratch: scratch)
    try #require(first.says("ready on"))
    let other = TestFolder()
    let state = Program.run([
      "daemon", "--state", scratch.path + "/state", "--socket", other.path + "/c.sock",
    ])
    #expect(state.code == 78)
    #expect(state.talk.contains("another program uses the state directory"))
    let socket = Program.run([
      "daemon", "--state", other.path + "/state", "--socket", scratch.path + "/c.sock",
    ])
    #expect(socket.code == 78)
    #expect(socket.talk.contains("another daemon answers at"))
    #expect(Program.run(["status", "--socket", scratch.path + "/c.sock"]).code == 0)
  }

  @Test("a port in use is said as such")
  func port() throws {
    let first = Child(daemon("--port", "45871"), scratch: scratch)
    try #require(first.says("ready on"))
    let other = TestFolder()
    let result = Program.run([
      "daemon", "--state", other.path + "/state", "--socket", other.path + "/c.sock",
      "--interface", "lo", "--port", "45871",
    ])
    #expect(result.code == 78)
    #expect(result.talk.contains("port 45871 is in use by another program"))
  }

  @Test("cards that are not there, are busy, or have another rate refuse at arm, and lose nothing")
  func cards() throws {
    let cases: [(String, String, Bool, String)] = [
      ("nothing_here", "48000", false, "there is no sound device named \"nothing_here\""),
      ("microphone", "48000", true, "is in use by"),
      ("microphone", "44100", false, "48000"),
    ]
    for (pcm, rate, isBusy, sentence) in cases {
      let place = TestFolder()
      let socket = place.path + "/c.sock"
      let daemon = Child(
        [
          "daemon", "--state", place.path + "/state", "--socket", socket, "--interface", "lo",
          "--stop-on-eof", "--input", pcm, "--rate", rate, "--output", place.path + "/out",
        ],
        scratch: place, variables: ["ALSA_CONFIG_PATH=" + place.card(ppm: 0, isBusy: isBusy)])
      try #require(daemon.says("ready on"))
      let armed = Program.run(["arm", "--socket", socket])
      #expect(armed.code == 1, "\(pcm) \(rate)")
      #expect(armed.output.contains(sentence), "\(pcm) \(rate): \(armed.output)")
      let status = Program.run(["status", "--socket", socket, "--json"])
      #expect(status.output.contains("\"state\":\"idle\""))
      #expect(place.files(".wav") == [])
    }
  }

  @Test("the wrong passphrase is said on both sides")
  func passphrases() throws {
    let other = TestFolder()
    var children: [Child] = []
    for (place, words) in [(scratch, "right horse"), (other, "wrong horse")] {
      let file = place.write(Array(words.utf8), to: "passphrase")
      children.append(
        Child(
          [
            "daemon", "--state", place.path + "/state", "--socket", place.path + "/c.sock",
            "--interface", "lo", "--stop-on-eof", "--group", "pair-\(getpid())",
            "--passphrase-file", file,
          ], scratch: place))
    }
    for child in children { try #require(child.says("ready on")) }
    for place in [scratch, other] {
      var text = ""
      for _ in 0..<50 where !text.contains("wrong passphrase") {
        text = Program.run(["status", "--socket", place.path + "/c.sock"]).output
        usleep(100_000)
      }
      #expect(text.contains("127.0.0.1: wrong passphrase or forged packets"))
      #expect(text.contains("1 host "))
    }
  }
}
