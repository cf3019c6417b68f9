internal import Glibc

/// Parts of paths.
enum FilePath {
  /// The last part of `path`.
  static func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? Substring(path))
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
