public import Recording
public import Units

/// The takes of a session, as `recorder takes --json` gives them.
public struct TakesReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.takes/1"

  /// A take on all hosts.
  public struct Take: Hashable, Sendable, Codable {
    public var id: TakeID
    /// The number, with a letter where it doubles: `7`, `7b`.
    public var label: String
    public var name: String
    /// One for each host that recorded it.
    public var hosts: [HostTake]

    /// The earliest T0.
    public var t0: SharedInstant? { hosts.map(\.t0).min() }
    public var isRolling: Bool { hosts.contains { $0.t1 == nil } }
    /// Whether any host has it circled.
    public var isCircled: Bool { hosts.contains { $0.remarks?.isCircled == true } }
    public var note: String? { hosts.compactMap(\.remarks?.note).first }

    private enum CodingKeys: String, CodingKey { case id, label, name, hosts }
  }

  public var schema = Self.schema
  public var session: SessionID?
  /// What is recorded next, where somebody said so.
  public var slate: SessionBook.Slate?
  /// How the session counts timecode, once a take was armed in it.
  public var timecode: String?
  /// In order of T0.
  public var takes: [Take]
  /// Hosts that did not answer: their takes are missing here.
  public var missing: [String] = []

  /// Gathers the hosts' parts.
  public init(book: SessionBook?, parts: [HostTake]) {
    session = book?.session
    slate = book?.slate
    timecode = book?.timecode?.setting
    let labels = TakeLabels.labels(of: parts.map { ($0.take.id, $0.take.number, $0.t0) })
    let byTake = Dictionary(grouping: parts, by: \.take.id)
    takes = byTake.map { id, parts in
      Take(
        id: id, label: labels[id] ?? "", name: parts[0].take.name,
        hosts: parts.sorted { ($0.label, $0.peer, $0.t0) < ($1.label, $1.peer, $1.t0) })
    }
    takes.sort { one, other in
      let zero = SharedInstant(nanoseconds: 0)
      return (one.t0 ?? zero, one.id) < (other.t0 ?? zero, other.id)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, session, slate, timecode, takes, missing
  }
}
