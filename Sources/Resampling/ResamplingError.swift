/// What soxr refused.
public struct ResamplingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C function that failed, such as `soxr_create`.
  public let function: String
  /// soxr's own words.
  public let reason: String

  public var description: String { "the resampler failed: \(reason) (\(function))" }
}
