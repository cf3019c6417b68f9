public import Units

/// Actions that are due at instants of shared time.
public struct Agenda: Sendable {
  private struct Entry: Sendable {
    let instant: SharedInstant
    let id: AgendaID
  }

  private let limit: Int
  /// Sorted by instant; those of one instant in the order in which they came.
  private var entries: [Entry] = []

  /// Makes an empty agenda that takes up to `limit` actions.
  public init(limit: Int) { self.limit = limit }

  /// The instant of the next action.
  public var next: SharedInstant? { entries.first?.instant }

  /// The number of actions that wait.
  public var count: Int { entries.count }

  /// Puts an action on the agenda; one of the same id is replaced.
  public mutating func schedule(
    _ id: AgendaID, at instant: SharedInstant
  ) throws(PeerNodeError) {
    _ = cancel(id)
    guard entries.count < limit else { throw .agendaFull(limit: limit) }
    let place = entries.firstIndex { $0.instant > instant } ?? entries.endIndex
    entries.insert(Entry(instant: instant, id: id), at: place)
  }

  /// Takes an action off the agenda; whether it was still on it.
  public mutating func cancel(_ id: AgendaID) -> Bool {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return false }
    entries.remove(at: place)
    return true
  }

  /// Takes off and gives what is due when shared time reads `now`.
  public mutating func due(at now: SharedInstant) -> [AgendaID] {
    let count = entries.prefix { $0.instant <= now }.count
    defer { entries.removeFirst(count) }
    return entries.prefix(count).map(\.id)
  }
}
