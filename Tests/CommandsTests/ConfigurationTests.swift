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
      return try Configuration(line: line) { name in
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
    #expect(throws: ConfigurationError.self) { try home.read(["--config", path + "x"]) }
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
    var said = ""
    do { _ = try home.read([]) } catch { said = "\(error)" }
    #expect(said.hasSuffix("/recorder/recorder.conf:" + sentence), "\(said)")
  }

  @Test("a value that cannot be is said of the place where it stands")
  func badValues() throws {
    let home = Home(user: "rate = 96k\n")
    let found = try home.read([])
    let error = UsageError.badValue(option: "--rate", value: "96k", wanted: "a number")
    let explained = try #require(found.explain(error)).description
    #expect(
      explained.hasSuffix("recorder.conf:1: --rate 96k cannot be used: it takes a number"))
    #expect(try home.read(["--rate", "x"]).explain(error) == nil)
  }
}
