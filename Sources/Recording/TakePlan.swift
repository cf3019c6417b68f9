public import Units

/// Which take is to be recorded, and what it is called.
public struct TakePlan: Hashable, Sendable, Codable {
  /// The longest name, in characters.
  public static let longestName = 64

  public let id: TakeID
  /// What people call it: the scene, as a rule.
  public let name: String
  /// Counts takes of a session, from 1. A label: it may double where a fleet was split.
  public let number: Int

  /// Makes a plan; a longer name is cut.
  public init(id: TakeID, name: String, number: Int) {
    self.id = id
    self.name = String(name.prefix(Self.longestName))
    self.number = number
  }
}
