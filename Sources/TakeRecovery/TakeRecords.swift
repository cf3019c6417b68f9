internal import BroadcastWave
internal import FoundationEssentials
internal import Recording

/// Which sound files the `take.json` files of a folder tell of; each folder is read once.
final class TakeRecords {
  private static let ending = ".take.json"
  private static let sizeLimit: UInt64 = 16 << 20

  /// By folder, and by host.
  private var told: [String: [String: Set<String>]] = [:]

  /// Whether the file called `name`, without ending, needs no `take.json` any more.
  func tell(of name: RecordedName, stem: String, in folder: String) -> Bool {
    let files = hosts(of: folder)[name.host]
    // A draft is told of by whoever tells of the first segment, which holds it.
    let isDraft = name.segment == 0 && files?.contains("\(stem.dropLast(3))001.wav") == true
    return isDraft || files?.contains(stem + ".wav") == true
  }

  private func hosts(of folder: String) -> [String: Set<String>] {
    if let known = told[folder] { return known }
    var found: [String: Set<String>] = [:]
    for name in Folder.names(of: folder) where name.hasSuffix(Self.ending) {
      let host = name.dropLast(Self.ending.count).split(separator: "_").first.map(String.init)
      guard let host, let summary = Self.read("\(folder)\(name)") else { continue }
      found[host, default: []].formUnion(summary.files)
    }
    told[folder] = found
    return found
  }

  private static func read(_ path: String) -> TakeSummary? {
    do {
      let held = try HeldFile(path: path, isReadOnly: true)
      guard held.length <= sizeLimit else { return nil }
      let bytes = try held.read(at: 0, count: Int(held.length))
      return try JSONDecoder().decode(TakeSummary.self, from: Data(bytes))
    } catch {
      // Somebody is writing it, or it is damaged: then nobody knows what it tells of.
      return nil
    }
  }
}
