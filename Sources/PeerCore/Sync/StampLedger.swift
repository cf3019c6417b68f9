public import Units

/// Finds out when each datagram left, by the best stamp that there is of it.
///
/// A ladder of three rungs: the driver's stamp; where a driver gives none, the one of when the
/// packet was queued for it; where the kernel gives neither, the program's own of just before its
/// call. The kernel loops each packet back with its stamp, and it is known by its bytes: counting
/// sends instead would be off by one for good after the first that failed.
public struct StampLedger: Sendable {
  /// The most datagrams that wait for their stamps.
  public static let mostPending = 64
  /// A stamp later than this after the call is of another time scale: the wall clock stepped.
  public static let latest = Duration.milliseconds(50)
  /// How long the driver's stamp is waited for; and how long once eight in a row have come
  /// without: most of those drivers never give one.
  public static let patience = Duration.milliseconds(50)
  public static let shortPatience = Duration.milliseconds(5)
  public static let mostMissing = 8

  /// When a datagram left, and how well that is known.
  public struct Found: Hashable, Sendable {
    public let token: SendToken
    public let stamp: HostInstant
    public let kind: StampKind

    /// Makes what was found.
    public init(token: SendToken, stamp: HostInstant, kind: StampKind) {
      self.token = token
      self.stamp = stamp
      self.kind = kind
    }
  }

  private struct Pending: Sendable {
    let token: SendToken
    let bytes: [UInt8]
    let sent: HostInstant
    var scheduled: HostInstant?
  }

  private var pending: [Pending] = []
  private var missing = 0

  /// Begins with nothing to wait for.
  public init() {}

  /// Takes note of a datagram that is sent at `now`, read just before the call. Beyond the limit
  /// the oldest is forgotten.
  public mutating func expect(_ token: SendToken, bytes: [UInt8], at now: HostInstant) {
    if pending.count == Self.mostPending { pending.removeFirst() }
    pending.append(Pending(token: token, bytes: bytes, sent: now))
  }

  /// The datagram of `token` was not sent after all.
  public mutating func cancel(_ token: SendToken) { pending.removeAll { $0.token == token } }

  /// Takes a stamp of the kernel's: `frame` is what left, headers in front. What is known now, if
  /// it was the final one of a datagram. A stamp that cannot be of its datagram is passed over.
  public mutating func take(frame: [UInt8], stamp: HostInstant, kind: StampKind) -> Found? {
    guard let place = pending.lastIndex(where: { Self.ends(frame, in: $0.bytes) }) else {
      return nil
    }
    let entry = pending[place]
    // Conversion to host time may err by a fraction of a microsecond.
    let delay = stamp - entry.sent
    guard delay >= .microseconds(-1), delay <= Self.latest else { return nil }
    switch kind {
    case .kernel:
      missing = 0
      pending.remove(at: place)
      return Found(token: entry.token, stamp: stamp, kind: .kernel)
    case .scheduled:
      pending[place].scheduled = stamp
      return nil
    case .userSpace: return nil
    }
  }

  /// The datagrams for which a lower rung has to do, in the order in which they were sent.
  public mutating func expire(at now: HostInstant) -> [Found] {
    let wait = missing < Self.mostMissing ? Self.patience : Self.shortPatience
    let overdue = pending.prefix { now - $0.sent > wait }
    pending.removeFirst(overdue.count)
    return overdue.map { giveUp($0) }
  }

  private mutating func giveUp(_ entry: Pending) -> Found {
    missing = min(missing + 1, Self.mostMissing)
    guard let stamp = entry.scheduled else {
      return Found(token: entry.token, stamp: entry.sent, kind: .userSpace)
    }
    return Found(token: entry.token, stamp: stamp, kind: .scheduled)
  }

  private static func ends(_ frame: [UInt8], in payload: [UInt8]) -> Bool {
    frame.count >= payload.count && frame.suffix(payload.count).elementsEqual(payload)
  }
}
