internal import FileIO
internal import Glibc

/// Where this user's things are, by the variables that the desktop's conventions name.
struct UserPlaces {
  private let environment: (String) -> String?

  init(environment: @escaping (String) -> String?) { self.environment = environment }

  /// `$XDG_STATE_HOME/recorder`, else `~/.local/state/recorder`.
  var state: String {
    absolute("XDG_STATE_HOME").map { $0 + "/recorder" } ?? home + "/.local/state/recorder"
  }

  /// `Recordings` where the program stands if it is there, else in the user's music folder.
  var recordings: String {
    var found = stat()
    if stat("Recordings", &found) == 0, found.st_mode & S_IFMT == S_IFDIR { return "Recordings" }
    return (absolute("XDG_MUSIC_DIR") ?? home + "/Music") + "/Recordings"
  }

  private var home: String { absolute("HOME") ?? "." }

  private func absolute(_ name: String) -> String? {
    environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

/// Folders that are to be written to.
enum Folder {
  /// Why nothing can be written below `path`; nothing where it can. Makes the folder.
  static func reasonNotWritable(_ path: String) -> String? {
    do throws(SystemFailure) { try Folders.make(path, mode: 0o777) } catch {
      return error.description
    }
    guard Folders.isFolder(path) else { return SystemFailure(code: ENOTDIR).description }
    return access(path, W_OK | X_OK) == 0 ? nil : SystemFailure.last.description
  }
}

/// Files that hold a secret.
enum SecretFile {
  enum Content {
    /// The first line, and whether users other than its owner may read it.
    case text(String, isOpenToOthers: Bool)
    case unreadable(reason: String)
  }

  /// The most that is read, in bytes.
  private static let longest = 4096

  /// What is said of a file that is open to others.
  static func warning(of path: String) -> String {
    "recorder: other users can read \"\(path)\"; run: chmod 600 \(ShellWord.quoted(path))"
  }

  static func read(_ path: String) -> Content {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return .unreadable(reason: SystemFailure.last.description) }
    defer { close(file) }
    var found = stat()
    guard fstat(file, &found) == 0 else {
      return .unreadable(reason: SystemFailure.last.description)
    }
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { return .unreadable(reason: SystemFailure.last.description) }
    let line = bytes.prefix(count).prefix { $0 != 0x0a && $0 != 0x0d }
    guard let text = String(validating: line, as: UTF8.self) else {
      return .unreadable(reason: "it is not UTF-8")
    }
    let isRegular = found.st_mode & S_IFMT == S_IFREG
    return .text(text, isOpenToOthers: isRegular && found.st_mode & 0o044 != 0)
  }
}
