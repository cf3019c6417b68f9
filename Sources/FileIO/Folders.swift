internal import Glibc

/// Folders and the names in them.
public enum Folders {
  /// The names in a folder, in order, but those that begin with a dot.
  ///
  /// - Throws: ``SystemFailure``, EFBIG where there are more than `limit` of them.
  public static func names(
    in folder: String, limit: Int = 65_536
  ) throws(SystemFailure) -> [String] {
    guard let handle = opendir(folder) else { throw .last }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { field in
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      guard names.count < limit else { throw SystemFailure(code: EFBIG) }
      names.append(name)
    }
    return names.sorted()
  }

  /// Makes a folder and those above it that are missing, so that they last.
  ///
  /// - Parameter mode: who may use those that are made.
  public static func make(_ path: String, mode: UInt32) throws(SystemFailure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      if mkdir(made, mode_t(mode)) == 0 {
        try synchronize(of: made)
      } else if errno != EEXIST {
        throw .last
      }
      made += "/"
    }
  }

  /// Makes the names in the folder of `path` last. Some file systems cannot, and need not.
  public static func synchronize(of path: String) throws(SystemFailure) {
    let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, ENOSYS].contains(errno) else { throw .last }
  }

  /// Whether there is a folder at `path`.
  public static func isFolder(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that holds what is at `path`.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
