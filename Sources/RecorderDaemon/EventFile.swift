internal import Control
internal import FileIO
internal import Glibc
internal import Recording
internal import Synchronization

/// The event log in the state directory: a line of JSON for each event, the newest last. It is
/// written aside, since the disk may be slow.
final class EventFile: Sendable {
  private static let name = "events.jsonl"
  /// With so many lines more than are kept it is written anew.
  private static let slack = EventBook.most

  /// A longer file is another program's.
  private static let longestBytes = 32 << 20

  private struct State {
    /// What is to be written, oldest first; of more than a book holds the newest.
    var waiting: [FleetEvent] = []
    /// All events, as they are known since the last was added.
    var book = EventBook()
    var lines = 0
    /// Whether its last line was cut short: the next must not go on with it.
    var isTorn = false
  }

  private let path: String
  private let line: SideLine
  private let state = Mutex(State())

  /// Makes the log of a state directory, written in `line`.
  init(directory: String, line: SideLine) {
    path = directory + "/" + Self.name
    self.line = line
  }

  /// What earlier runs have left; lines that are no events are passed over.
  func load() -> [FleetEvent] {
    let found = Result { () throws(SystemFailure) in
      try FileIO.contents(of: path, limit: Self.longestBytes)
    }
    guard case .success(let bytes) = found else { return [] }
    let texts = bytes.split(separator: 0x0a)
    state.withLock {
      $0.lines = texts.count
      $0.isTorn = bytes.last.map { $0 != 0x0a } ?? false
    }
    return texts.compactMap { FleetCoding.decode(FleetEvent.self, from: Array($0)) }
  }

  /// Puts `event` behind the others. Where that fails it is in the daemon's memory and in its log.
  func append(_ event: FleetEvent, of book: EventBook) {
    state.withLock { state in
      state.waiting = state.waiting.suffix(EventBook.most - 1) + [event]
      state.book = book
    }
    line.add("events") { self.write() }
  }

  private func write() {
    let (events, all, isTorn) = state.withLock { state in
      let waiting = state.waiting
      state.waiting = []
      state.lines += waiting.count
      let isLong = state.lines > EventBook.most + Self.slack
      if isLong { state.lines = state.book.events.count }
      defer { state.isTorn = false }
      return (waiting, isLong ? state.book.events : nil, state.isTorn)
    }
    if let all {
      _ = Result { () throws(SystemFailure) in try FileIO.replace(path, with: Self.text(of: all)) }
    } else {
      append((isTorn ? [0x0a] : []) + Self.text(of: events))
    }
  }

  private func append(_ bytes: [UInt8]) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }

  private static func text(of events: [FleetEvent]) -> [UInt8] {
    var bytes: [UInt8] = []
    for event in events { bytes += FleetCoding.encode(event) + [0x0a] }
    return bytes
  }
}
