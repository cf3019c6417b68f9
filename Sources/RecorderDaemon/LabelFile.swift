internal import Control
internal import FileIO
internal import Units

/// What a host is called, and was called before: `label.json` in its state directory.
struct LabelFile: Codable, Hashable {
  /// A name, and since when.
  struct Entry: Codable, Hashable {
    let label: String
    let sinceUnixNs: Int64

    private enum CodingKeys: String, CodingKey {
      case label
      case sinceUnixNs = "since_unix_ns"
    }
  }

  /// The most names that are remembered.
  static let most = 16
  private static let name = "label.json"

  /// What it was told to be called; nothing: its hostname.
  var chosen: String?
  /// Newest last.
  private(set) var history: [Entry] = []

  /// What the state directory keeps; a missing or damaged file is as good as none.
  static func load(from directory: String) -> LabelFile {
    let found = Result { () throws(SystemFailure) in
      try FileIO.contents(of: directory + "/" + name, limit: 65_536)
    }
    guard case .success(let bytes) = found else { return LabelFile() }
    return FleetCoding.decode(LabelFile.self, from: bytes) ?? LabelFile()
  }

  func save(in directory: String) throws(SystemFailure) {
    try FileIO.replace(directory + "/" + Self.name, with: FleetCoding.encode(self))
  }

  /// Takes note of what it is called now; whether that is new.
  mutating func note(_ label: String, at unixNanoseconds: Int64) -> Bool {
    guard history.last?.label != label else { return false }
    history = history.suffix(Self.most - 1) + [Entry(label: label, sinceUnixNs: unixNanoseconds)]
    return true
  }

  /// Its former names, the newest first, each once.
  func former(than label: String) -> [String] {
    history.reversed().map(\.label).reduce(into: []) { names, name in
      if name != label, !names.contains(name) { names.append(name) }
    }
  }
}
