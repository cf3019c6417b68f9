/// One file of an alignment, as a page shows it. What is empty is left out.
public struct PageFile: Sendable {
  /// How far a file can be trusted.
  public enum Verdict: String, Sendable {
    case good
    case check
    case bad

    /// The sign that stands beside the word, so that no colour has to be seen.
    var sign: String {
      switch self {
      case .good: "✓"
      case .check: "!"
      case .bad: "✗"
      }
    }
  }

  public let name: String
  public let verdict: Verdict
  /// The verdict in words, and why.
  public let words: String
  /// Figures in the order in which they are shown, such as `offset` and `+1.25 ms ± 2 us`.
  public let figures: [(name: String, value: String)]
  /// From when to when it sounds, in seconds after the timeline's start; nothing where it has no
  /// place.
  public let bar: ClosedRange<Double>?
  /// Where samples are missing, in seconds after the timeline's start.
  public var gaps: [ClosedRange<Double>] = []
  /// The delay's residual against the fit: time in seconds, microseconds, and whether it counted.
  public var residuals: [PageResidual] = []
  /// The uncertainty of the fit: time in seconds, one sigma in microseconds.
  public var sigma: [PagePoint] = []
  /// The file's rate against the timeline: time in seconds, ppm.
  public var rate: [PagePoint] = []
  /// The same by its clock's own log.
  public var clockRate: [PagePoint] = []
  /// Correlation with the others: lag in milliseconds, −1 to 1.
  public var correlationBefore: [PagePoint] = []
  public var correlationAfter: [PagePoint] = []
  /// A transient in the file and in the others: time in milliseconds, −1 to 1.
  public var transientBefore: PageTransient?
  public var transientAfter: PageTransient?

  /// Makes a file without pictures but its bar.
  public init(
    name: String, verdict: Verdict, words: String, figures: [(name: String, value: String)],
    bar: ClosedRange<Double>?
  ) {
    self.name = name
    self.verdict = verdict
    self.words = words
    self.figures = figures
    self.bar = bar
  }
}

/// A point of a curve.
public struct PagePoint: Hashable, Sendable {
  public let x: Double
  public let y: Double

  /// Makes a point.
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A measurement against the fit.
public struct PageResidual: Hashable, Sendable {
  public let point: PagePoint
  /// Whether the fit rests on it.
  public let isInlier: Bool

  /// Makes a residual `microseconds` off the fit at `seconds`.
  public init(seconds: Double, microseconds: Double, isInlier: Bool) {
    point = PagePoint(seconds, microseconds)
    self.isInlier = isInlier
  }
}

/// A piece of sound in two files.
public struct PageTransient: Sendable {
  public let reference: [PagePoint]
  public let file: [PagePoint]

  /// Makes a pair of curves over time in milliseconds.
  public init(reference: [PagePoint], file: [PagePoint]) {
    self.reference = reference
    self.file = file
  }
}
