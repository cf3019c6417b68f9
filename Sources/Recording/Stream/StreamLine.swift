/// The line from frames to host time, as the capture thread takes it along.
///
/// A plain value without references, so that it crosses to a thread that must neither allocate
/// nor wait.
public struct StreamLine: BitwiseCopyable, Hashable, Sendable {
  /// By how much a crystal may leave its line while nothing is seen of it: it warms up or cools
  /// down by some degrees, at a few hundredths of a ppm each.
  public static var unseenDrift: Double { 0.5e-6 }

  /// A count of frames, and when it was reached, in nanoseconds of host time.
  public var count: Double
  public var hostNanoseconds: Int64
  public var nanosecondsPerFrame: Double
  /// By how much the line may be off at its instant, in nanoseconds.
  public var boundNanoseconds: Double
  /// By how much its rate may be off, as a fraction.
  public var rateBound: Double

  /// Makes a line of its parts.
  public init(
    count: Double, hostNanoseconds: Int64, nanosecondsPerFrame: Double, boundNanoseconds: Double,
    rateBound: Double
  ) {
    self.count = count
    self.hostNanoseconds = hostNanoseconds
    self.nanosecondsPerFrame = nanosecondsPerFrame
    self.boundNanoseconds = boundNanoseconds
    self.rateBound = rateBound
  }

  /// The count that is reached at `hostNanoseconds`.
  @_noLocks
  public func count(at hostNanoseconds: Int64) -> Double {
    count + Double(hostNanoseconds - self.hostNanoseconds) / nanosecondsPerFrame
  }

  /// By how many frames ``count(at:)`` may be off.
  @_noLocks
  public func boundFrames(at hostNanoseconds: Int64) -> Double {
    let distance = abs(Double(hostNanoseconds - self.hostNanoseconds))
    return (boundNanoseconds + distance * (rateBound + Self.unseenDrift)) / nanosecondsPerFrame
  }
}
