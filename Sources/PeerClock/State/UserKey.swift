internal import CLinux
internal import FileIO
internal import Glibc
internal import Sealing

/// The key of a user's own programs on one machine, for clocks that were given no group.
enum UserKey {
  /// Reads the user's key, or makes it: 32 random bytes that only the user may read.
  static func load() throws(PeerClockError) -> SecretKey {
    let folder = try stateFolder()
    let path = folder + "/user.key"
    do {
      try Folders.make(folder, mode: 0o700)
      if let key = try read(path) { return key }
      try make(path)
      if let key = try read(path) { return key }
    } catch {
      throw .stateDirectory(path: folder, reason: error.description)
    }
    throw .stateUnreadable(path: path, reason: "it is not a key of \(SecretKey.length) bytes")
  }

  private static func read(_ path: String) throws(SystemFailure) -> SecretKey? {
    try StateFile.read(path).flatMap { SecretKey($0) }
  }

  /// Of two programs that make the key at once one wins, and both read what it made.
  private static func make(_ path: String) throws(SystemFailure) {
    var bytes = [UInt8](repeating: 0, count: SecretKey.length)
    let drawn = linux_random(&bytes, bytes.count)
    guard drawn >= 0 else { throw SystemFailure(code: -drawn) }
    let draft = "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max))"
    try FileIO.write(draft, bytes)
    let renamed = linux_rename_new(draft, path)
    if renamed < 0 { unlink(draft) }
    guard renamed >= 0 || renamed == -EEXIST else { throw SystemFailure(code: -renamed) }
  }

  private static func stateFolder() throws(PeerClockError) -> String {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return folder + "/peerclock"
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else {
      throw .configuration(
        reason: "without a group a clock needs the variable HOME, where this user's key is kept")
    }
    return home + "/.local/state/peerclock"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
