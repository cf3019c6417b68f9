internal import FileIO
internal import Glibc

/// Small files of the state directory.
enum StateFile {
  /// No state file of ours comes near this; a longer one is not ours.
  private static let longest = 1 << 20

  /// The file's bytes; nothing where there is no such file.
  static func read(_ path: String) throws(SystemFailure) -> [UInt8]? {
    do throws(SystemFailure) {
      return try FileIO.contents(of: path, limit: longest)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}
