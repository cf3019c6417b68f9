public import Units

/// Where in a card's stream a take begins and ends.
///
/// Nothing starts at T0: the frames are in the ring before, and the take is cut from it by index.
/// So the cut need not be made at once either. A stream that has only just begun is not well known
/// yet, and the cut waits for more to be seen of it, as long as the ring holds what is waited for.
public struct Cut: Sendable {
  /// How long after T0 the cut is made at the latest.
  public static let patience = Duration.seconds(4)

  /// By how much what is kept safe meanwhile begins earlier: more than a young stream's line is off.
  public static let slack = Duration.milliseconds(50)

  /// A take's first frame.
  public struct Beginning: Hashable, Sendable {
    /// Which frame of the stream.
    public let first: SampleIndex
    /// When it was taken.
    public let host: HostInstant
    public let shared: SharedInstant
    /// By how much `shared` may be off, in nanoseconds: card, measuring and path together.
    public let boundNanoseconds: Int64
    /// Whether it is the frame nearest to the instant that was asked for; else the oldest that
    /// there is.
    public let isWhole: Bool
    /// The instant that the file says it begins at: what was asked for, else the frame's own.
    public let begins: SharedInstant

    /// Whether it lies no later than the frame nearest to `t0`, given that no later instant than
    /// that was asked for.
    public func reaches(_ t0: SharedInstant) -> Bool { isWhole || shared <= t0 }
  }

  private let clock: SampleClock
  private let map: ClockMap

  /// Cuts by what is known of the stream and of shared time.
  public init(clock: SampleClock, map: ClockMap) {
    self.clock = clock
    self.map = map
  }

  /// The frame nearest to `instant`, or nothing before the first observation of the stream.
  public func index(nearest instant: SharedInstant) -> SampleIndex? {
    clock.index(nearest: map.host(at: instant))
  }

  /// Whether the frame nearest to `instant` has been taken.
  public func isTaken(_ instant: SharedInstant, end: SampleIndex) -> Bool {
    index(nearest: instant).map { $0 < end } ?? false
  }

  /// Whether it pays to wait before cutting at `t0`: the stream is young, there is room in the
  /// ring, and T1 has not come.
  public func pays(
    toWaitFrom t0: SharedInstant, t1: SharedInstant?, oldest: SampleIndex, end: SampleIndex
  ) -> Bool {
    if clock.isSteady { return false }
    if let t1, isTaken(t1, end: end) { return false }
    return oldest.value == 0 && !isTaken(t0 + Self.patience, end: end)
  }

  /// The first frame of a take that begins at `t0`; nothing while that is not taken yet.
  ///
  /// - Parameter spare: how many of the oldest frames may be gone before they can be read.
  public func beginning(
    at t0: SharedInstant, oldest: SampleIndex, end: SampleIndex, spare: FrameCount
  ) -> Beginning? {
    guard let wanted = index(nearest: t0), wanted < end else { return nil }
    let readable = oldest.value == 0 ? oldest : min(oldest + spare, end)
    let first = max(wanted, readable)
    guard let host = clock.host(of: first), let bound = clock.boundNanoseconds(at: first) else {
      return nil
    }
    let (shared, isWhole) = (map.shared(at: host), first == wanted)
    return Beginning(
      first: first, host: host, shared: shared,
      boundNanoseconds: bound + map.boundNanoseconds(at: host), isWhole: isWhole,
      begins: isWhole ? t0 : shared)
  }
}
