import FoundationEssentials

/// The checked-out tree, as the tidy tests read it.
struct Tree {
  /// A text file of the tree.
  struct File: CustomStringConvertible {
    /// The path from the top of the tree, such as `Sources/Units/ClockRate.swift`.
    let path: String
    let lines: [Substring]

    var description: String { path }
  }

  let root: String

  init(testFile: String = #filePath) {
    let parts = testFile.split(separator: "/")
    root = "/" + parts.dropLast(3).joined(separator: "/")
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
  }

  func topLevel() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: root))
  }

  /// Every file under `folder` whose name ends in one of `suffixes`, in order of path.
  func files(under folder: String, suffixes: [String]) throws -> [File] {
    let top = root + "/" + folder
    guard FileManager.default.fileExists(atPath: top) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: top).sorted().filter { path in
      suffixes.contains { path.hasSuffix($0) }
    }
    .map { path in
      let whole = folder + "/" + path
      let lines = try text(whole).split(separator: "\n", omittingEmptySubsequences: false)
      return File(path: whole, lines: lines)
    }
  }

  /// The names of the folders right under `folder`.
  func folders(under folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).filter {
      var isFolder = false
      return FileManager.default.fileExists(
        atPath: "\(root)/\(folder)/\($0)", isDirectory: &isFolder) && isFolder
    }.sorted()
  }
}
