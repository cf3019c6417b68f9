public import Units

/// When a take begins and ends, as every heartbeat carries it: who was cut off, or joins late,
/// learns it from the next one.
public struct TakeState: Hashable, Sendable {
  /// The longest name, in bytes of UTF-8: 64 characters of four.
  public static let longestName = 256

  /// The session that the instants are of.
  public let session: SessionID
  public let id: TakeID
  public let number: UInt32
  /// What people call the take.
  public let name: String
  /// When it begins.
  public let t0: SharedInstant
  /// When it ends; nothing while nobody has stopped it. Up to ``t0``: it was called off.
  public let t1: SharedInstant?

  /// Makes a take's state; a longer name is cut.
  public init(
    session: SessionID, id: TakeID, number: UInt32, name: String, t0: SharedInstant,
    t1: SharedInstant? = nil
  ) {
    self.session = session
    self.id = id
    self.number = number
    self.name = name.cut(toUTF8: Self.longestName)
    self.t0 = t0
    self.t1 = t1
  }

  /// Whether somebody has stopped it: then it has an end, be that still to come.
  public var isStopped: Bool { t1 != nil }

  /// What two hosts, that each knew the take apart from the other, know together: the earliest
  /// beginning; stopped, if either knows that; the latest end. The order does not matter.
  ///
  /// `other` is a state of the same take in the same session.
  public func merged(with other: TakeState) -> TakeState {
    precondition(
      id == other.id && session == other.session, "\(id) and \(other.id) are not one take")
    let label =
      (other.number, other.name) < (number, name) ? (other.number, other.name) : (number, name)
    return TakeState(
      session: session, id: id, number: label.0, name: label.1, t0: min(t0, other.t0),
      t1: [t1, other.t1].compactMap(\.self).max())
  }
}
