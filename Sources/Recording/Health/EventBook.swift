/// The newest events of all hosts, as one host knows them, numbered from 1.
public struct EventBook: Hashable, Sendable {
  /// The most events that are kept.
  public static let most = 1000
  /// Within what time several hosts' words for one loss count as one.
  static let sameLossNanoseconds: Int64 = 10_000_000_000

  public private(set) var events: [FleetEvent]
  private var last: UInt64

  /// Begins with what is known, oldest first.
  public init(_ events: [FleetEvent] = []) {
    self.events = Array(events.suffix(Self.most))
    last = events.map(\.number).max() ?? 0
  }

  /// The number of the newest event; 0 where there is none.
  public var newest: UInt64 { last }

  /// Takes an event down under the next number; nothing where another host has said the same.
  public mutating func add(_ event: FleetEvent) -> FleetEvent? {
    guard !isKnown(event) else { return nil }
    var numbered = event
    last += 1
    numbered.number = last
    events.append(numbered)
    if events.count > Self.most { events.removeFirst(events.count - Self.most) }
    return numbered
  }

  /// The events behind `number`, the newest `limit` of them, oldest first.
  public func events(after number: UInt64, limit: Int) -> [FleetEvent] {
    Array(events.filter { $0.number > number }.suffix(max(0, limit)))
  }

  /// All that lose a host say so: once is enough.
  private func isKnown(_ event: FleetEvent) -> Bool {
    guard event.alert.kind == .hostLost else { return false }
    return events.suffix(64).contains { known in
      known.alert.key == event.alert.key && known.phase == event.phase
        && known.peer != event.peer
        && (known.unixNs.subtractingReportingOverflow(event.unixNs)).partialValue.magnitude
          < UInt64(Self.sameLossNanoseconds)
    }
  }
}
