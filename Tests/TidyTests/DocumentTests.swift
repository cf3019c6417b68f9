import TestLanes
import Testing

@Suite("Documents", .computing)
struct DocumentTests {
  let tree = Tree()

  /// The documents that show Swift, each block of which stands in a compiled snippet.
  static let documents = ["README.md", "docs/architecture.md", "docs/testing.md"]

  @Test(
    "each block of Swift in a document stands in Snippets, which every build compiles",
    arguments: documents)
  func snippets(document: String) throws {
    let snippets = try tree.files(under: "Snippets", suffixes: [".swift"]).map { file in
      file.lines.map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }
    for block in try Self.swiftBlocks(in: tree.text(document)) {
      let lines = block.map { $0.drop { $0 == " " } }.joined(separator: "\n")
      #expect(snippets.contains { $0.contains(lines) }, "\(document) shows\n\(lines)")
    }
  }

  @Test(
    "the documents that readers are sent to are there",
    arguments: [
      "architecture", "protocol", "files", "time", "glossary", "testing",
    ])
  func present(name: String) throws {
    #expect(try tree.text("docs/\(name).md").count > 500)
  }

  private static func swiftBlocks(in text: String) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var open = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```swift") {
        open = true
        blocks.append([])
      } else if line.hasPrefix("```") {
        open = false
      } else if open {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }
}
