import Glibc
import TestFolders
import TestLanes
import Testing

@testable import Commands

@Suite("The daemon's settings", .computing)
struct ConfigurationTests {
  /// A folder with configuration files, gone with the test.
  private struct Home {
    private let place = TestFolder()
    var path: String { place.path }

    init(user: String? = nil) {
      place.makeFolder("recorder")
      if let user { write(user, to: "recorder/recorder.conf") }
    }

    func write(_ text: String, to name: String) { place.write(text, to: name) }

    func read(
      _ words: [String], _ variables: [String: String] = [:]
    ) throws -> Configuration {
      let line = try CommandLineParser.parse(["daemon"] + words)
      return Configuration(line: line) { name in
        name == "XDG_CONFIG_HOME" ? self.path : variables[name]
      }
    }
  }

  @Test("a flag goes before the environment, that before the file, and each says where it is from")
  func precedence() throws {
    let home = Home(user: "[daemon]\nname = file\nrate = 96000\ninput = hw:1\n")
    let found = try home.read(
      ["--name", "flag"], ["RECORDER_NAME": "env", "RECORDER_RATE": "44100"])
    #expect(found.line.values["--name"] == ["flag"])
    #expect(found.line.values["--rate"] == ["44100"])
    #expect(found.line.values["--input"] == ["hw:1"])
    #expect(found.origins["--name"] == .flag)
    #expect(found.origins["--rate"] == .environment(variable: "RECORDER_RATE"))
    let file = home.path + "/recorder/recorder.conf"
    #expect(found.origins["--input"] == .file(path: file, line: 4))
    #expect(found.origins["--port"] == nil)
    #expect(found.files.map(\.path) == [file, "/etc/recorder.conf"])
  }

  @Test("a list comes from one place as a whole")
  func lists() throws {
    let home = Home(user: "peers = 10.0.0.2:5000\n  10.0.0.3:5000\npeers = 10.0.0.4:5000\n")
    #expect(
      try home.read([]).line.list("--peers")
        == ["10.0.0.2:5000", "10.0.0.3:5000", "10.0.0.4:5000"])
    #expect(try home.read(["--peers", "1.1.1.1:1"]).line.list("--peers") == ["1.1.1.1:1"])
    let documented = Home(user: "peers = studio, 10.0.0.7:5000, [fe80::1%eth0]:5000\n")
    #expect(
      try documented.read([]).line.list("--peers")
        == ["studio", "10.0.0.7:5000", "[fe80::1%eth0]:5000"])
  }

  @Test("a named file takes the place of the usual ones, and must be there")
  func namedFile() throws {
    let home = Home(user: "name = file\n")
    home.write("rate = 48000\n", to: "other.conf")
    let path = home.path + "/other.conf"
    for found in [
      try home.read(["--config", path]), try home.read([], ["RECORDER_CONFIG": path]),
    ] {
      #expect(found.line.values["--name"] == nil)
      #expect(found.line.values["--rate"] == ["48000"])
    }
    #expect(
      try home.read(["--config", path + "x"]).problems
        == [.unreadable(path: path + "x", reason: "there is no such file")])
  }

  @Test(
    "what is wrong is said with file and line, and what was meant",
    arguments: [
      ("inptu = hw:1\n", "1: there is no setting \"inptu\"; did you mean input?"),
      ("\n[demon]\nname = x\n", "3: there is no section [demon]; use [daemon]"),
      ("name = x\nname = y\n", "2: name is given twice"),
      ("name\n", "1: this is no setting; write key = value"),
      ("json = yes\n", "1: there is no setting \"json\""),
    ])
  func mistakes(text: String, sentence: String) throws {
    let home = Home(user: text)
    let said = try home.read([]).problems.map(\.description)
    #expect(said.count == 1)
    #expect(said[0].hasSuffix("/recorder/recorder.conf:" + sentence), "\(said)")
  }

  /// Reads a rate, then a port, as the daemon does.
  private func make(_ line: ParsedLine) throws(UsageError) -> String {
    let reader = OptionReader(line: line)
    let port = try reader.number("--port", in: 0...65_535) ?? 0
    return "\(try reader.number("--rate", in: 8000...192_000) ?? 0) \(port)"
  }

  @Test("all that is wrong is told at once, in the order of the lines, then the values")
  func all() throws {
    let home = Home(
      user: "inptu = hw:1\nnonsense\nrate = 96k\nport = 5000\n[demon]\nname = x\n")
    let found = try home.read([], ["RECORDER_PORT": "x"])
    var said: [String] = []
    do throws(SettingsRefusal) {
      _ = try found.made(make)
    } catch {
      guard case .configuration(let problems) = error else { throw error }
      said = problems.map { $0.description.split(separator: "/").last.map(String.init) ?? "" }
    }
    #expect(
      said == [
        "recorder.conf:1: there is no setting \"inptu\"; did you mean input?",
        "recorder.conf:2: this is no setting; write key = value",
        "recorder.conf:6: there is no section [demon]; use [daemon]",
        "environment: RECORDER_PORT: --port x cannot be used: it takes a whole number from 0 to 65535",
        "recorder.conf:3: --rate 96k cannot be used: it takes a whole number from 8000 to 192000",
      ])
    #expect(try Home(user: "rate = 96000\n").read([]).made(make) == "96000 0")
  }

  @Test("a value that cannot be is said of the place where it stands, a flag's as the flag's")
  func badValues() throws {
    let home = Home(user: "rate = 96k\n")
    #expect {
      try home.read([]).made(make)
    } throws: { error in
      "\(error)".contains("recorder.conf:1: --rate 96k cannot be used: it takes ")
    }
    #expect {
      try home.read(["--rate", "x"]).made(make)
    } throws: { error in
      if case SettingsRefusal.usage = error {
        "\(error)".hasPrefix("--rate x cannot")
      } else {
        false
      }
    }
  }
}
