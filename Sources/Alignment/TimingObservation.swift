public import Units

/// Where one frame of a file lies in shared time, as far as its host knew.
public struct TimingObservation: Hashable, Sendable {
  /// Frames from the file's first.
  public let frame: Int64
  public let shared: SharedInstant
  /// What is open of `shared` but for the path, in nanoseconds: clock and card together.
  public let jitterBoundNanoseconds: Int64
  /// What asymmetry of the path could hide, in nanoseconds.
  public let pathLimitNanoseconds: Int64

  /// Makes an observation of its parts.
  public init(
    frame: Int64, shared: SharedInstant, jitterBoundNanoseconds: Int64, pathLimitNanoseconds: Int64
  ) {
    self.frame = frame
    self.shared = shared
    self.jitterBoundNanoseconds = jitterBoundNanoseconds
    self.pathLimitNanoseconds = pathLimitNanoseconds
  }
}
