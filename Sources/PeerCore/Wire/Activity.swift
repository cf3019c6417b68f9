/// What a host is busy with, as far as agreeing on time is concerned.
public enum Activity: UInt8, Hashable, Comparable, Sendable, Codable {
  case idle = 0
  /// Ready to record: the session may not change.
  case armed = 1
  /// Recording: nothing about time may change but for the better.
  case rolling = 2

  public static func < (one: Activity, other: Activity) -> Bool { one.rawValue < other.rawValue }
}
