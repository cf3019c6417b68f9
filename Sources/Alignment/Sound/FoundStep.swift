/// A place at which the delay between two sounds jumps.
public struct FoundStep: Hashable, Sendable {
  /// What is behind it.
  public enum Cause: String, Hashable, Sendable {
    /// The other lost samples: it goes on as before, but later in the one.
    case lostInOther
    /// The one lost samples.
    case lostInOne
    /// What sounds changed its place: the room answers differently afterwards. Clocks do not
    /// explain it, and nothing is to be corrected.
    case sourceMoved
  }

  /// Where, in samples of the other.
  public let position: Double
  /// By how much the delay grows there, in samples.
  public let samples: Double
  public let cause: Cause
  /// How alike the room's answers before and after are, −1 to 1.
  public let likeness: Double
}
