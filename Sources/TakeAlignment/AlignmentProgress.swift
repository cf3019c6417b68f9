/// How far aligning has come.
public enum AlignmentProgress: Hashable, Sendable {
  /// The timing log and the header of a file are read and fitted.
  case reading(file: String)
  /// The files' sounds are being compared; 0 to 1 of it is done, and they last `seconds` together.
  case comparing(fraction: Double, seconds: Double)
  /// A file is being laid onto the timeline; 0 to 1 of all that is rendered is done, and all lasts
  /// `seconds` together.
  case rendering(file: String, fraction: Double, seconds: Double)
  /// An aligned file is whole.
  case wrote(path: String)
}
