public import Units

/// A probe and its reply: four times, two at each end.
public struct SyncExchange: Hashable, Sendable {
  /// When the probe left, in the prober's host time.
  public let t1: HostInstant
  /// When the probe arrived, in the replier's host time.
  public let t2: HostInstant
  /// When the reply left, in the replier's host time.
  public let t3: HostInstant
  /// When the reply arrived, in the prober's host time.
  public let t4: HostInstant
  /// The worse of the two stamps of reception.
  public let receiveKind: StampKind
  /// The worse of the two stamps of transmission.
  public let transmitKind: StampKind

  /// Makes an exchange.
  public init(
    t1: HostInstant, t2: HostInstant, t3: HostInstant, t4: HostInstant, receiveKind: StampKind,
    transmitKind: StampKind
  ) {
    self.t1 = t1
    self.t2 = t2
    self.t3 = t3
    self.t4 = t4
    self.receiveKind = receiveKind
    self.transmitKind = transmitKind
  }

  /// What the path and the stamps took, there and back, in nanoseconds.
  public var roundTripNanoseconds: Int64 {
    (t4.nanoseconds - t1.nanoseconds) - (t3.nanoseconds - t2.nanoseconds)
  }

  /// The worst kind among the four stamps.
  public var worstKind: StampKind {
    receiveKind.rawValue > transmitKind.rawValue ? receiveKind : transmitKind
  }

  /// Whether the times can be of one exchange at all: within 36 years of their clocks' origins (so
  /// that no difference overflows), in order at each end, and within 10 s.
  public var isPlausible: Bool {
    let limit = UInt64(1) << 60
    guard [t1, t2, t3, t4].allSatisfy({ $0.nanoseconds.magnitude < limit }) else { return false }
    let own = t4.nanoseconds - t1.nanoseconds
    let other = t3.nanoseconds - t2.nanoseconds
    return other >= 0 && own >= 0 && own < 10_000_000_000 && roundTripNanoseconds >= 0
  }
}
