import TestLanes
import Testing

@Suite("Habits", .computing)
struct HabitTests {
  let tree = Tree()

  @Test("the top level holds what it should and nothing else")
  func topLevel() throws {
    let visible = try tree.topLevel().filter { !$0.hasPrefix(".") }
    let wanted: Set<String> = [
      "Package.swift", "Sources", "Tests", "Recordings", "README.md", "docs", "LICENSE", "Snippets",
    ]
    #expect(visible.symmetricDifference(wanted) == [])
  }

  @Test("a source file is read in one sitting: 400 lines at most")
  func length() throws {
    for folder in ["Sources", "Tests", "Snippets"] {
      for file in try tree.files(under: folder, suffixes: [".swift", ".c", ".h"]) {
        #expect(file.lines.count <= 400, "\(file) has \(file.lines.count) lines")
      }
    }
  }

  /// What no source says. Spelt in pieces, since this file is a source too.
  static let refused = [
    "@unchecked " + "Sendable", "try? " + "await", "try" + "!", "TO" + "DO", "FIX" + "ME",
    "as" + "! ",
  ]

  @Test("no source says what style refuses", arguments: refused)
  func words(word: String) throws {
    for file in try tree.files(under: "Sources", suffixes: [".swift", ".c", ".h"]) {
      for (number, line) in file.lines.enumerated() {
        #expect(!line.contains(word), "\(file):\(number + 1) says \(word)")
      }
    }
  }

  @Test("what is compiled for several processors is so by a header that leaves the sanitizer out")
  func clones() throws {
    for file in try tree.files(under: "Sources", suffixes: [".c", ".h"])
    where file.lines.contains(where: { $0.contains("target_clones") }) {
      #expect(file.path.hasSuffix(".h"), "\(file)")
      #expect(file.lines.contains { $0.contains("thread_sanitizer") }, "\(file)")
    }
  }

  @Test(
    "a test is never one that cannot fail", arguments: ["#expect(" + "true", ".disa" + "bled("])
  func honestTests(word: String) throws {
    for file in try tree.files(under: "Tests", suffixes: [".swift"]) {
      for (number, line) in file.lines.enumerated() {
        #expect(!line.contains(word), "\(file):\(number + 1) says \(word)")
      }
    }
  }
}
