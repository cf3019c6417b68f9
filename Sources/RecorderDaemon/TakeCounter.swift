internal import Control
internal import FoundationEssentials
internal import Glibc
internal import Units

/// Counts the takes of a session, through restarts of the daemon.
struct TakeCounter: Codable {
  private var session: SessionID?
  private var last = 0

  private static let file = "takes.json"

  init() {}

  /// Reads the counter kept in `directory`; a missing or damaged one begins anew: the number is a
  /// label, and takes are told apart by their ids.
  init(directory: String) {
    guard let data = FileManager.default.contents(atPath: directory + "/" + Self.file),
      let stored = FleetCoding.decode(TakeCounter.self, from: Array(data))
    else { return }
    self = stored
  }

  /// Takes note of a number that some host has used; whether that is news.
  mutating func note(_ number: Int, session: SessionID) -> Bool {
    guard self.session != session || number > last else { return false }
    last = number
    self.session = session
    return true
  }

  /// Keeps it in `directory`.
  func save(in directory: String) {
    let path = directory + "/" + Self.file
    let data = Data(FleetCoding.encode(self))
    // A counter that cannot be kept costs a doubled label and nothing else; a torn one is never
    // seen, since the new file takes the old one's place at once.
    guard FileManager.default.createFile(atPath: path + ".new", contents: data) else { return }
    _ = rename(path + ".new", path)
  }

  /// The number that comes next in `session`.
  func next(in session: SessionID) -> Int { self.session == session ? last + 1 : 1 }
}
