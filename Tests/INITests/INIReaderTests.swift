import INI
import TestLanes
import Testing

@Suite("Settings in sections", .computing)
struct INIReaderTests {
  private func read(_ text: String) throws(INIError) -> [INIEntry] {
    try INIReader.entries(of: Array(text.utf8))
  }

  @Test("keys, sections, comments, several lines and line numbers")
  func reading() throws {
    let entries = try read(
      """
      ; first
      name = desk
      [daemon]
      input = hw:USB   ; the good one

      peers = 10.0.0.2:5000
        10.0.0.3:5000
      """)
    let found = entries.map { "\($0.line) [\($0.section)] \($0.key)=\($0.value)" }
    #expect(
      found == [
        "2 [] name=desk", "4 [daemon] input=hw:USB", "6 [daemon] peers=10.0.0.2:5000",
        "7 [daemon] peers=10.0.0.3:5000",
      ])
  }

  @Test("all lines that are no settings are told, up to a limit, and the settings between them")
  func all() {
    let long = String(repeating: "x", count: INIReader.longestLine + 1)
    let found = INIReader.reading(of: Array("a = 1\nnonsense\n\(long)\nb = 2\n[c\n".utf8))
    #expect(found.errors == [.lineTooLong(line: 3), .syntax(line: 2), .syntax(line: 5)])
    #expect(found.entries.map { "\($0.line) \($0.key)" } == ["1 a", "4 b"])
    let most = INIReader.mostErrors
    let bad = { (count: Int) in
      INIReader.reading(of: Array(repeatElement("x\n", count: count).joined().utf8)).errors.count
    }
    #expect([bad(most - 1), bad(most), bad(most + 1)] == [most - 1, most, most])
    #expect(INIReader.reading(of: [0]).errors == [.notText])
  }

  @Test("what is no setting is named by its line; nothing is cut in silence")
  func refusals() {
    #expect(throws: INIError.syntax(line: 2)) { try read("a = 1\nnonsense\n") }
    #expect(throws: INIError.syntax(line: 1)) { try read("[daemon\na = 1\n") }
    let long = String(repeating: "x", count: INIReader.longestLine - 4)
    #expect(throws: Never.self) { try read("a = " + long) }
    #expect(try! read("a = " + long).first?.value.utf8.count == long.utf8.count)
    #expect(throws: INIError.lineTooLong(line: 2)) { try read("\na = x" + long) }
    #expect(throws: INIError.notText) { try read("a = 1\u{0}") }
    #expect(throws: INIError.notText) {
      try read(String(repeating: "#\n", count: INIReader.longestText / 2 + 1))
    }
    #expect(throws: Never.self) {
      try read(String(repeating: "#\n", count: INIReader.longestText / 2))
    }
  }
}
