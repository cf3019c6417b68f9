import FoundationEssentials
import TestLanes
import Testing
import Units

/// Every parser with every input of its corpus, as it is and with bytes changed from a seed; what
/// libFuzzer finds in `.ci/fuzz` joins the corpus and is tried for ever.
@Suite("Parsers under foreign bytes", .computing)
struct CorpusTests {
  private static func corpus(of parser: FuzzedParser) throws -> [[UInt8]] {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    let path = "\(folder)/Corpus/\(parser.rawValue)"
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      Array(try Data(contentsOf: URL(filePath: "\(path)/\($0)")))
    }
  }

  @Test("none of it brings a parser down", arguments: FuzzedParser.allCases)
  func corpus(parser: FuzzedParser) throws {
    let inputs = try Self.corpus(of: parser)
    #expect(inputs.count >= 3, "\(parser)")
    var generator = SeededGenerator(seed: UInt64(inputs.count))
    for input in inputs {
      parser.feed(input)
      for _ in 0..<10 { parser.feed(Self.changed(input, using: &generator)) }
    }
  }

  /// With a few bytes set, doubled or gone.
  private static func changed(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      case 1: bytes.insert(bytes[place], at: place)
      default: bytes.removeSubrange(place..<min(place + 4, bytes.count))
      }
    }
    return bytes
  }
}
