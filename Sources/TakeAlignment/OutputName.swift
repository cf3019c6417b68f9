internal import FileIO
internal import Glibc

/// Gives finished files their names, and folders their place.
enum OutputName {
  /// Names the file at `part` `path`. Unless `replaces`, another of that name stays as it is.
  static func give(_ path: String, from part: String, replaces: Bool) throws(AlignmentError) {
    if replaces {
      guard rename(part, path) == 0 else {
        throw .output(path: path, reason: "\(SystemFailure.last)")
      }
      return
    }
    // A link refuses what is there, in one step; where the file system has no links, look first.
    if link(part, path) == 0 {
      unlink(part)
      return
    }
    if errno == EEXIST || TakeFolder.exists(path) { throw .outputExists(path: path) }
    guard rename(part, path) == 0 else {
      throw .output(path: path, reason: "\(SystemFailure.last)")
    }
  }

  /// What the output of raw files called `names` is named by: their name, or what several begin
  /// with in common.
  static func stem(of names: [String]) -> String {
    let stems = names.map { name in
      String(FilePath.soundStem(name).map { $0 == "/" ? "_" : $0 })
    }
    if stems.count == 1 { return stems[0] }
    let common = stems.dropFirst().reduce(stems.first ?? "") { $0.commonPrefix(with: $1) }
    let words = common.split(whereSeparator: { "_-. ".contains($0) })
    // The last word may be cut in the middle.
    let isWhole = common.last.map { "_-. ".contains($0) } ?? false
    let kept = isWhole ? words : words.dropLast()
    guard let last = kept.last else { return "poly" }
    return common[..<last.endIndex] + "_poly"
  }

  /// Makes a folder and those above it.
  static func makeFolders(_ path: String) throws(AlignmentError) {
    do throws(SystemFailure) { try Folders.make(path, mode: 0o755) } catch {
      throw .output(path: path, reason: error.description)
    }
  }
}

extension String {
  /// What this and `other` begin with.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
