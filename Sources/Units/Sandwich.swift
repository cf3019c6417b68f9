/// Two clocks of one host read together: the host's own before and after, another in between.
public struct Sandwich: Hashable, Sendable {
  /// The middle of the two readings of CLOCK_MONOTONIC_RAW.
  public let host: HostInstant
  /// The other clock's reading, in nanoseconds.
  public let otherNanoseconds: Int64
  /// How far apart the two outer readings were, in nanoseconds: twice the largest error.
  public let widthNanoseconds: Int64

  /// Makes a sandwich of its readings.
  public init(host: HostInstant, otherNanoseconds: Int64, widthNanoseconds: Int64) {
    self.host = host
    self.otherNanoseconds = otherNanoseconds
    self.widthNanoseconds = widthNanoseconds
  }

  /// A stamp of the other clock, in this host's time. Good within about a second of the reading:
  /// the two clocks' rates differ by up to some 500 ppm while a host is being disciplined.
  public func host(ofOther nanoseconds: Int64) -> HostInstant {
    HostInstant(nanoseconds: host.nanoseconds + (nanoseconds - otherNanoseconds))
  }
}
