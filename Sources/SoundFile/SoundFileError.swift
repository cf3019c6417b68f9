/// What libsndfile refused, with the call that it refused and its reason.
public struct SoundFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C function that failed, such as `sf_open`.
  public let function: String
  /// The file's path.
  public let path: String
  /// libsndfile's own words.
  public let reason: String

  public var description: String {
    let words = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return "cannot read the sound file \"\(path)\": \(words) (\(function))"
  }
}
