import Glibc
import TestFolders
import Testing

/// A daemon with a virtual card, in a place of its own.
final class FleetHost {
  let place = TestFolder()
  private(set) var child: Child?
  private var words: [String] = []
  private var variables: [String] = []

  init(
    _ label: String, ppm: Double, group: String, channels: Int = 1, options: [String] = [],
    variables more: [String] = [], disk: [String] = []
  ) {
    let passphrase = place.write(Array("a test's own".utf8), to: "passphrase")
    words =
      [
        "daemon", "--state", place.path + "/state", "--socket", place.path + "/c.sock", "--name",
        label,
        "--group", group, "--passphrase-file", passphrase, "--interface", "lo", "--stop-on-eof",
        "--json", "--input", "microphone", "--output", place.path + "/out",
      ] + options
    variables = ["ALSA_CONFIG_PATH=" + place.card(ppm: ppm, channels: channels)] + more
    // What the faulty disk is to do with all that lies in the host's place.
    if !disk.isEmpty { variables += ["FAULTY_DISK_FOLDER=" + place.path] + disk }
    startAgain()
  }

  /// Starts the daemon; one that runs must have ended.
  func startAgain() { child = Child(words, scratch: place, variables: variables) }

  /// Ends the daemon as a power cut or a bug does.
  func crash() {
    guard let child else { return }
    kill(child.pid, SIGKILL)
    _ = child.wait(seconds: 5)
  }

  var socket: String { place.path + "/c.sock" }

  func run(_ words: String...) -> Program.Result {
    Program.run(words + ["--socket", socket])
  }

  /// What the host's only timing log says, line by line.
  func log() throws -> [Substring] {
    let logs = place.files(".timing.jsonl")
    #expect(logs.count == 1, "\(logs)")
    return TestFolder.text(of: try #require(logs.first)).split(separator: "\n")
  }

  /// The number behind `key` in the first line of the log that has it.
  func number(_ key: String) throws -> Int64 {
    let text = try log().joined(separator: "\n")
    let place = try #require(text.firstRange(of: "\"\(key)\":"), "\(key) in \(text.prefix(600))")
    return try #require(Int64(text[place.upperBound...].prefix { $0.isNumber || $0 == "-" }))
  }

  func waitUntilInSync(count: Int) throws {
    for _ in 0..<100 {
      let text = run("status", "--json").output
      let synced = text.split(separator: "\"role\":\"follower\"").count - 1
      if synced == count - 1 && !text.contains("unsynced") { return }
      usleep(50_000)
    }
    Issue.record("not all of \(count) hosts came to be in sync")
  }

  /// Looks until the whole fleet's status has `text` so often; false after `seconds`.
  func waitFor(_ text: String, count: Int = 1, seconds: Double) -> Bool {
    for _ in 0..<Int(seconds * 10) {
      if run("status", "--json").output.split(separator: text).count - 1 >= count { return true }
      usleep(100_000)
    }
    return false
  }
}
