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

  /// Makes a folder and those above it.
  static func makeFolders(_ path: String) throws(AlignmentError) {
    do throws(SystemFailure) { try Folders.make(path, mode: 0o755) } catch {
      throw .output(path: path, reason: error.description)
    }
  }
}
