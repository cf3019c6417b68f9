internal import Control
internal import FileIO
internal import Glibc
internal import Recording
internal import Units

/// What a daemon is doing, as its state directory keeps it while it runs: one that ends without
/// being told to leaves it for the next, which goes on with the take.
struct RunFile: Codable, Hashable {
  /// A take that rolls, or is about to.
  struct Take: Codable, Hashable {
    let plan: TakePlan
    let session: SessionID
    let t0: SharedInstant
  }

  private static let name = "run.json"

  /// The boot that it ran under: after another one the host's clock counts anew.
  let bootID: String
  var take: Take?

  /// What a daemon left that was not told to end; nothing after a quiet end.
  static func left(in directory: String) -> RunFile? {
    let found = Result { () throws(SystemFailure) in
      try FileIO.contents(of: directory + "/" + name, limit: 65_536)
    }
    guard case .success(let bytes) = found else { return nil }
    return FleetCoding.decode(RunFile.self, from: bytes)
  }

  /// Keeps it on the disk, for a power cut too; where that fails the take is not gone on with after
  /// a crash, no more.
  func save(in directory: String) {
    _ = Result { () throws(SystemFailure) in
      try FileIO.replace(directory + "/" + Self.name, with: FleetCoding.encode(self))
    }
  }

  /// A quiet end.
  static func remove(from directory: String) { unlink(directory + "/" + name) }
}
