internal import Control
internal import FoundationEssentials
internal import Glibc
internal import Recording

/// What the session has agreed on, as the state directory keeps it through restarts.
enum BookFile {
  private static let name = "session-book.json"

  /// Nothing where there is none, or one that cannot be read: the other hosts know it too.
  static func load(from directory: String) -> SessionBook? {
    FileManager.default.contents(atPath: directory + "/" + name).flatMap {
      FleetCoding.decode(SessionBook.self, from: Array($0))
    }
  }

  /// Keeps `book`; where that fails it is only forgotten at the next start.
  static func save(_ book: SessionBook, in directory: String) {
    let path = directory + "/" + name
    let data = Data(FleetCoding.encode(book))
    guard FileManager.default.createFile(atPath: path + ".new", contents: data) else { return }
    _ = rename(path + ".new", path)
  }
}
