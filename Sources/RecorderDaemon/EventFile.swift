internal import Control
internal import FileIO
internal import Glibc
internal import Recording

/// The event log in the state directory: a line of JSON for each event, the newest last.
struct EventFile {
  private static let name = "events.jsonl"
  /// With so many lines more than are kept it is written anew.
  private static let slack = EventBook.most

  /// A longer file is another program's.
  private static let longestBytes = 32 << 20

  private let path: String
  private var lines = 0
  /// Whether its last line was cut short: the next must not go on with it.
  private var isTorn = false

  init(directory: String) { path = directory + "/" + Self.name }

  /// What earlier runs have left; lines that are no events are passed over.
  mutating func load() -> [FleetEvent] {
    let found = Result { () throws(SystemFailure) in
      try FileIO.contents(of: path, limit: Self.longestBytes)
    }
    guard case .success(let bytes) = found else { return [] }
    let texts = bytes.split(separator: 0x0a)
    lines = texts.count
    isTorn = bytes.last.map { $0 != 0x0a } ?? false
    return texts.compactMap { FleetCoding.decode(FleetEvent.self, from: Array($0)) }
  }

  /// Puts `event` behind the others. Where that fails it is in the daemon's memory and in its log.
  mutating func append(_ event: FleetEvent, of book: EventBook) {
    lines += 1
    if lines > EventBook.most + Self.slack {
      let kept = Self.text(of: book.events)
      _ = Result { () throws(SystemFailure) in try FileIO.replace(path, with: kept) }
      lines = book.events.count
      return
    }
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = (isTorn ? [0x0a] : []) + Self.text(of: [event])
    isTorn = false
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }

  private static func text(of events: [FleetEvent]) -> [UInt8] {
    var bytes: [UInt8] = []
    for event in events { bytes += FleetCoding.encode(event) + [0x0a] }
    return bytes
  }
}
