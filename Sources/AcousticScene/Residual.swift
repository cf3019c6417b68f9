/// How late a stretch of sound is against what should stand there.
public struct Residual: Hashable, Sendable, Codable {
  /// The stretch's first frame.
  public let frame: Int
  /// By how many samples the sound comes late; negative where it comes early. Nothing where it
  /// is not the expected sound at all.
  public let samples: Double?
  /// The correlation with what should stand there, once shifted by `samples`; at most 1.
  public let coherence: Double

  /// Makes a residual of its parts.
  public init(frame: Int, samples: Double?, coherence: Double) {
    self.frame = frame
    self.samples = samples
    self.coherence = coherence
  }
}

extension Residual {
  /// How much later `one` is than `other`, stretch by stretch, in samples; nothing where either
  /// is unknown.
  public static func between(_ one: [Residual], and other: [Residual]) -> [Double?] {
    zip(one, other).map { one, other in
      guard let first = one.samples, let second = other.samples else { return nil }
      return first - second
    }
  }
}
