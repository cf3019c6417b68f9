import TestLanes
import Testing

@Suite("The floors", .computing)
struct FloorTests {
  let tree = Tree()

  @Test("every target stands on a floor, and none is only in the table")
  func complete() throws {
    let sources = Set(try tree.folders(under: "Sources"))
    #expect(sources.symmetricDifference(Floors.table.keys) == [])
  }

  @Test("every dependency lies on a lower floor")
  func downwards() throws {
    let manifest = try Manifest(text: tree.text("Package.swift"))
    for (target, floor) in Floors.table {
      let dependencies = try #require(manifest.dependencies[target], "\(target) has no entry")
      for dependency in dependencies where !Floors.sideways.contains("\(target)→\(dependency)") {
        let below = try #require(Floors.table[dependency])
        #expect(below < floor, "\(target) (floor \(floor)) depends on \(dependency) (\(below))")
      }
    }
  }

  @Test("every import is a declared dependency or a toolchain module that its floor allows")
  func imports() throws {
    let manifest = try Manifest(text: tree.text("Package.swift"))
    let pattern = #/^(?:@\w+ )*(?:public |internal |package |private )?import (?:\w+ )?(\w+)/#
    for file in try tree.files(under: "Sources", suffixes: [".swift"]) {
      let target = String(file.path.split(separator: "/")[1])
      let allowed = Set(manifest.dependencies[target] ?? [])
        .union(Floors.toolchainModules(of: target))
      for line in file.lines {
        guard let match = line.prefixMatch(of: pattern) else { continue }
        #expect(
          allowed.contains(String(match.output.1)), "\(file) imports \(match.output.1)")
      }
    }
  }
}
