/// Why a file's observations do not give a place in shared time.
public enum TimelineFitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no observation at all.
  case nothingObserved
  /// Frames and shared times do not grow together.
  case notMonotone(frame: Int64)
  /// The fitted rate is further from nominal than any crystal.
  case impossibleRate(partsPerMillion: Double)

  public var description: String {
    switch self {
    case .nothingObserved:
      "the timing log says of no frame when it was taken"
    case .notMonotone(let frame):
      "the timing log's times do not grow with its frames (at frame \(frame))"
    case .impossibleRate(let partsPerMillion):
      "the timing log gives a rate \(Int(partsPerMillion)) ppm off nominal, which no card has"
    }
  }
}
