internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import Recording
internal import Sealing
internal import Units

/// The files of a take as they lie in this host's folders.
enum TakeFiles {
  /// The most files of a take that are told.
  static let most = 4096

  /// What the takes' lists name, and where it is now: a sound file that has another name is known
  /// by its size and its digest.
  static func list(_ entries: [TakeArchive.Entry]) -> [TakeFile] {
    Array(entries.flatMap(list).prefix(most))
  }

  private static func list(_ entry: TakeArchive.Entry) -> [TakeFile] {
    let folder = entry.folder.split(separator: "/").suffix(2).joined(separator: "/")
    let names = entry.summary.files + entry.summary.timingLogs + [entry.name]
    let known = Set(names)
    return names.map { name in
      var file = TakeFile(name: name, folder: folder)
      let details = entry.summary.fileDetails?.first { $0.name == name }
      file.sha256 = details?.sha256
      file.bytes = size(of: entry.folder + "/" + name)
      if file.bytes == nil, let details,
        let other = renamed(details, in: entry.folder, known: known)
      {
        file.presentName = other
        file.bytes = size(of: entry.folder + "/" + other)
      }
      return file
    }
  }

  private static func renamed(
    _ file: TakeSummary.File, in folder: String, known: Set<String>
  ) -> String? {
    guard let bytes = file.bytes, let digest = file.sha256 else { return nil }
    let names = Result { () throws(SystemFailure) in try Folders.names(in: folder) }
    guard case .success(let names) = names else { return nil }
    return names.first { name in
      !known.contains(name) && size(of: folder + "/" + name) == bytes
        && self.digest(of: folder + "/" + name) == digest
    }
  }

  static func size(of path: String) -> Int64? {
    var found = stat()
    guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(found.st_size)
  }

  /// SHA-256 in hexadecimal; nothing where the file cannot be read to its end.
  static func digest(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var sha = SHA256()
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(file, &room, room.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return sha.hexDigest() }
      sha.update(room.prefix(count))
    }
  }

  /// Whether a name that another host gave may be that of a file here: no way leads out of the
  /// folder, and nothing hides.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix(".") && !name.contains("/")
      && !name.utf8.contains(0) && name.utf8.allSatisfy { $0 >= 0x20 }
  }
}
