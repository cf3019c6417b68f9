internal import FileIO
internal import Glibc
public import Recording
public import Units

/// The takes that a host has recorded, by what lies in its output folder.
public enum TakeArchive {
  /// A `take.json`.
  public struct Entry: Sendable {
    public let summary: TakeSummary
    /// The folder that it lies in.
    public let folder: String
    /// Its own name.
    public let name: String

    var path: String { folder + "/" + name }
  }

  /// The most takes that are looked at.
  static let mostEntries = 4096

  /// The takes of `session` that the host `peer` recorded below `output`, in order of T0.
  public static func takes(of session: SessionID, by peer: PeerID, in output: String) -> [Entry] {
    var found: [Entry] = []
    let ending = "-\(peer.short).take.json"
    for day in names(in: output) where day.hasSuffix("_\(session.short)") {
      for take in names(in: "\(output)/\(day)") {
        let folder = "\(output)/\(day)/\(take)"
        for name in names(in: folder) where name.hasSuffix(".take.json") {
          let isOwn = name.hasSuffix(ending) || name.contains("-\(peer.short)_")
          guard isOwn, found.count < mostEntries,
            let summary = TakeSummaryFile.read("\(folder)/\(name)"),
            summary.peer ?? peer == peer, summary.session ?? session == session
          else { continue }
          found.append(Entry(summary: summary, folder: folder, name: name))
        }
      }
    }
    return found.sorted { ($0.summary.t0, $0.path) < ($1.summary.t0, $1.path) }
  }

  private static func names(in folder: String) -> [String] {
    do throws(SystemFailure) { return try Folders.names(in: folder) } catch { return [] }
  }
}
