import Recording
import TestLanes
import Testing
import Units

@Suite("Names of files", .computing)
struct TakeNamesTests {
  @Test("the names are those that the documents promise")
  func names() {
    let plan = TakePlan(
      id: TakeID(high: 0xABCD_0000_0000_0000, low: 1), name: "bridge", number: 7)
    let names = TakeNames(
      plan: plan, session: SessionID(high: 0x1234_0000_0000_0000, low: 0), date: "2026-11-30",
      peer: PeerID(high: 0xFEDC_0000_0000_0000, low: 0), label: "rec-a")
    #expect(names.folder == "2026-11-30_1234/bridge-T07-abcd")
    #expect(names.sound(segment: 1) == "bridge-T07_rec-a-fedc_001.wav")
    #expect(names.timingLog(segment: 1) == "bridge-T07_rec-a-fedc_001.timing.jsonl")
    #expect(names.summary(segment: 1) == "rec-a-fedc.take.json")
    #expect(names.summary(segment: 2) == "rec-a-fedc_002.take.json")
  }

  @Test(
    "what a person writes becomes a name that FAT and a shell can bear",
    arguments: [
      ("Scene 4/2", "Scene-4-2"), ("../../etc/passwd", "etc-passwd"), ("..", "x"), ("", "x"),
      ("con", "x"), ("LPT1.wav", "x"), ("Übung", "bung"), ("a\u{0}b", "a-b"),
      ("trailing.", "trailing"),
      ("$(rm -rf ~)", "rm--rf"), ("-rf", "rf"), ("com10", "com10"), ("nul2", "nul2"),
    ])
  func safe(text: String, name: String) {
    #expect(TakeNames.safe(text, otherwise: "x") == name)
  }

  @Test("any name at all comes out plain, short and stable, seeds 0 to 199")
  func any() {
    for seed in UInt64(0)..<200 {
      var generator = SeededGenerator(seed: seed)
      var text = ""
      for _ in 0..<Int.random(in: 0...80, using: &generator) {
        let value = UInt32.random(in: 0...0x3FF, using: &generator)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let name = TakeNames.safe(text, otherwise: "x")
      let plain = name.utf8.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
      #expect(plain && !name.isEmpty && name.utf8.count <= 32, "seed \(seed): \(name)")
      #expect(name.first != "." && name.last != "." && name.first != "-", "seed \(seed): \(name)")
      #expect(TakeNames.safe(name, otherwise: "x") == name, "seed \(seed)")
    }
  }

  @Test("a name of a take is kept to its limit")
  func limit() {
    let id = TakeID(high: 0, low: 1)
    let full = String(repeating: "n", count: TakePlan.longestName)
    #expect(TakePlan(id: id, name: full, number: 1).name == full)
    #expect(TakePlan(id: id, name: full + "n", number: 1).name == full)
  }
}
