import TestLanes
import Testing

@testable import Commands

@Suite("The command line", .computing)
struct ParserTests {
  @Test("options, values and operands are told apart")
  func parts() throws {
    let line = try CommandLineParser.parse([
      "align", "one", "--out", "there", "--reference=a=b", "--", "--two",
    ])
    #expect(line.command.name == "align")
    #expect(line.operands == ["one", "--two"])
    #expect(line.value("--out") == "there")
    #expect(line.value("--reference") == "a=b")
    #expect(!line.has("--force"))
  }

  @Test("lists come with commas, with repetition, or with both")
  func lists() throws {
    let line = try CommandLineParser.parse(["status", "--host", "a,b", "--host=c", "--json"])
    #expect(line.list("--host") == ["a", "b", "c"])
    #expect(line.has("--json"))
  }

  @Test("a value may be negative, a lone dash, but not the next option")
  func dashes() throws {
    #expect(try CommandLineParser.parse(["start", "--in", "-5s"]).value("--in") == "-5s")
    #expect(try CommandLineParser.parse(["align", "d", "--json", "-"]).value("--json") == "-")
    #expect(throws: UsageError.missingValue(option: "--in", example: "1s")) {
      try CommandLineParser.parse(["start", "--in", "--json"])
    }
    #expect(throws: UsageError.missingValue(option: "--in", example: "1s")) {
      try CommandLineParser.parse(["start", "--in"])
    }
  }

  @Test("what is not understood is refused with what was meant")
  func refusals() {
    #expect(throws: UsageError.noCommand) { try CommandLineParser.parse([]) }
    #expect(throws: UsageError.unknownCommand("strat")) { try CommandLineParser.parse(["strat"]) }
    #expect(throws: UsageError.unknownOption("--jsn", command: "stop")) {
      try CommandLineParser.parse(["stop", "--jsn"])
    }
    #expect(throws: UsageError.unwantedValue(option: "--json")) {
      try CommandLineParser.parse(["stop", "--json=yes"])
    }
    #expect(throws: UsageError.repeated(option: "--in")) {
      try CommandLineParser.parse(["start", "--in", "1s", "--in", "2s"])
    }
    #expect(throws: UsageError.unwantedOperand("now", command: "start")) {
      try CommandLineParser.parse(["start", "now"])
    }
    #expect(throws: UsageError.missingOperand(what: "DIR|FILE…", command: "align")) {
      try CommandLineParser.parse(["align"])
    }
  }

  @Test("help needs no operands")
  func help() throws {
    #expect(try CommandLineParser.parse(["align", "--help"]).has("--help"))
    #expect(try CommandLineParser.parse(["align", "-h"]).has("--help"))
  }

  @Test("every option of every command is in its help, but the hidden ones")
  func helpIsWhole() throws {
    for command in CommandTable.commands {
      let text = HelpText.of(command)
      for option in command.allOptions {
        #expect(
          text.contains(option.name + " ") || text.contains(option.name + "\n") || option.isHidden)
        #expect(!(option.isHidden && text.contains(option.name)))
      }
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }

  @Test("no option or command stands twice in the table")
  func unique() {
    #expect(Set(CommandTable.commands.map(\.name)).count == CommandTable.commands.count)
    for command in CommandTable.commands {
      #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    }
  }
}

@Suite("Did you mean", .computing)
struct SuggestionTests {
  static let names = CommandTable.commands.map(\.name)

  @Test(
    "a slip of the finger finds its command",
    arguments: [
      ("strat", "start"), ("stauts", "status"), ("stpo", "stop"), ("dameon", "daemon"),
      ("alig", "align"), ("disarmm", "disarm"), ("stat", "start"), ("dem", "demo"),
    ])
  func near(word: String, meant: String) {
    let found = Suggestion.nearest(to: word, among: Self.names)
    #expect(found == meant || (word == "stat" && found == "status"))
  }

  @Test("what is far from everything finds nothing", arguments: ["record", "x", "", "frobnicate"])
  func far(word: String) {
    #expect(Suggestion.nearest(to: word, among: Self.names) == nil)
  }

  @Test("the distance counts letters inserted, dropped, changed and swapped")
  func distance() {
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("abc", "abc") == 0)
    #expect(Suggestion.distance("abc", "acb") == 1)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
  }

  @Test("a sentence says what is wrong and what was meant")
  func sentences() {
    #expect(
      UsageError.unknownCommand("strat").description
        == "there is no command \"strat\"; did you mean start?")
    #expect(
      UsageError.unknownOption("--ouput", command: "daemon").description
        == "recorder daemon has no option --ouput; did you mean --output?")
    #expect(UsageError.unknownCommand("xyz").description == "there is no command \"xyz\"")
  }
}
