internal import Glibc

/// Parts of paths.
enum FilePath {
  /// The last part of `path`.
  static func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? Substring(path))
  }

  /// Names that tell files apart: the last part, and as much before it as that takes, as cameras
  /// and recorders call their files alike on every card.
  static func names(_ paths: [String]) -> [String] {
    let parts = paths.map { absolute($0).split(separator: "/").map(String.init) }
    return parts.indices.map { index in
      for depth in 1...max(1, parts[index].count) {
        let name = parts[index].suffix(depth)
        let isAlone = parts.indices.allSatisfy { $0 == index || parts[$0].suffix(depth) != name }
        if isAlone { return name.joined(separator: "/") }
      }
      return parts[index].joined(separator: "/")
    }
  }

  /// What stands before the last part, without the slash; `.` where nothing does.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `path` from the root on.
  static func absolute(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// `path` without its last extension.
  static func stem(_ path: String) -> String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
    return String(path[..<dot])
  }

  /// The path of a sound file without `.wav`, nor the `.part` of one that is not closed.
  static func soundStem(_ path: String) -> String {
    path.hasSuffix(".wav.part") ? stem(stem(path)) : stem(path)
  }
}
