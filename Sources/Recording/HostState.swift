public import Units

/// What a host is doing about a take.
///
///     idle --arm--> armed --start--> scheduled --(T0 is in the ring)--> rolling
///      ^              ^                  |                                 |
///      |              +------stop--------+---------stop, T1 reached--------+
///      +--disarm (from armed and scheduled)
///
/// A take that is scheduled may have its end already; one that is rolling closes when that comes.
public enum HostState: Hashable, Sendable {
  case idle
  case armed(TakePlan)
  case scheduled(TakePlan, t0: SharedInstant, t1: SharedInstant? = nil)
  case rolling(TakePlan, t0: SharedInstant, t1: SharedInstant?)

  /// What a command asks for.
  public enum Command: Hashable, Sendable {
    case arm(TakePlan)
    case start(t0: SharedInstant)
    case stop(t1: SharedInstant)
    case disarm
  }

  /// Why a command has no place now.
  public enum Refusal: Error, Hashable, Sendable {
    /// Nothing is armed, so nothing can start.
    case notArmed
    /// A take is rolling: it is stopped first.
    case rolling
    /// Nothing rolls, so nothing can stop.
    case notRolling
  }

  /// The state after `command`.
  ///
  /// Two starts make one take with the earlier T0, and a start of what rolls already changes
  /// nothing. Of two stops at once the later T1 holds; a stop that is meant otherwise than the one
  /// before it takes its place. Arming again re-arms.
  public func after(_ command: Command) throws(Refusal) -> HostState {
    switch (self, command) {
    case (.idle, .arm(let plan)), (.armed, .arm(let plan)): return .armed(plan)
    case (.scheduled, .arm), (.rolling, .arm): throw .rolling
    case (.idle, .start): throw .notArmed
    case (.armed(let plan), .start(let t0)): return .scheduled(plan, t0: t0)
    case (.scheduled(let plan, let earlier, let t1), .start(let t0)):
      return .scheduled(plan, t0: min(earlier, t0), t1: t1)
    case (.rolling, .start): return self
    case (.idle, .stop), (.armed, .stop): throw .notRolling
    case (.scheduled(let plan, let t0, let earlier), .stop(let t1)):
      return t1 <= t0 ? .armed(plan) : .scheduled(plan, t0: t0, t1: Self.end(earlier, then: t1))
    case (.rolling(let plan, let t0, let earlier), .stop(let t1)):
      return .rolling(plan, t0: t0, t1: Self.end(earlier, then: t1))
    case (.idle, .disarm), (.armed, .disarm), (.scheduled, .disarm): return .idle
    case (.rolling, .disarm): throw .rolling
    }
  }

  /// Ends that lie no further apart are of two stops at once.
  public static let atOnce = Duration.seconds(2)

  private static func end(_ earlier: SharedInstant?, then t1: SharedInstant) -> SharedInstant {
    guard let earlier, t1 < earlier, earlier - t1 <= atOnce else { return t1 }
    return earlier
  }

  /// The one word for people and programs.
  public var word: String {
    switch self {
    case .idle: "idle"
    case .armed: "armed"
    case .scheduled: "scheduled"
    case .rolling: "rolling"
    }
  }

  /// Whether a take is under way whose end is set, also one whose beginning is not in the ring yet.
  public var isToEnd: Bool {
    switch self {
    case .idle, .armed: false
    case .scheduled(_, _, let t1), .rolling(_, _, let t1): t1 != nil
    }
  }

  /// The take, if there is one.
  public var plan: TakePlan? {
    switch self {
    case .idle: nil
    case .armed(let plan), .scheduled(let plan, _, _), .rolling(let plan, _, _): plan
    }
  }
}
