internal import Units

/// From where on a host's figures are worth an alert, and from where on they are well again.
///
/// Between the two lies a span in which nothing changes, so that a figure at the border does not
/// chatter.
public struct HealthLimits: Hashable, Sendable {
  /// A figure that is bad when low: raised below `raise`, well again from `clear`.
  public struct Floor: Hashable, Sendable {
    public let raise: Double
    public let clear: Double

    /// Makes a floor: it is cleared above where it is raised.
    public init(raise: Double, clear: Double) {
      precondition(raise < clear, "a floor is cleared above \(raise), not at \(clear)")
      self.raise = raise
      self.clear = clear
    }
  }

  /// A figure that is bad when high: raised from `raise`, well again below `clear`.
  public struct Ceiling: Hashable, Sendable {
    public let raise: Double
    public let clear: Double

    /// Makes a ceiling: it is cleared below where it is raised.
    public init(raise: Double, clear: Double) {
      precondition(clear < raise, "a ceiling is cleared below \(raise), not at \(clear)")
      self.raise = raise
      self.clear = clear
    }
  }

  public let diskMinutes = Floor(raise: 60, clear: 75)
  public let diskCriticalMinutes = Floor(raise: 10, clear: 15)
  public let batteryPercent = Floor(raise: 20, clear: 25)
  public let batteryCriticalPercent = Floor(raise: 5, clear: 8)
  /// A Raspberry Pi slows down from 80 °C on, most laptops between 90 and 100 °C.
  public let celsius = Ceiling(raise: 80, clear: 75)
  public let criticalCelsius = Ceiling(raise: 90, clear: 85)
  /// How far a writer is behind its card; the ring has room for 10 s.
  public let behindSeconds = Ceiling(raise: 1, clear: 0.5)
  public let criticalBehindSeconds = Ceiling(raise: 5, clear: 2.5)
  /// No crystal is further off than this, in ppm; as ``SampleClock/plausibleExcess``.
  public let cardPPM = Ceiling(raise: 1000, clear: 900)
  /// The whole bound of shared time.
  public let syncBoundNanoseconds: Ceiling

  /// How long a channel is silent while others of the card are not.
  public let silentSeconds = 10.0
  /// How long all channels of a card are silent.
  public let allSilentSeconds = 60.0
  /// How long after the last lost frame, or the last sample at full scale, that is forgotten.
  public let countSpan = Duration.seconds(60)
  /// How long a host may be without shared time after it came up.
  public let syncGrace = Duration.seconds(15)
  /// For how long a restart is shown.
  public let restartSpan = Duration.seconds(600)
  /// For how long figures that jump are over their limit before that is said, or under it.
  public let holds = Duration.seconds(5)

  /// Makes limits; `syncBound` is the most that may be open about shared time.
  public init(syncBound: Duration = .milliseconds(2)) {
    precondition(syncBound > .zero, "a bound is longer than nothing, not \(syncBound)")
    let limit = Double(syncBound.wholeNanoseconds)
    syncBoundNanoseconds = Ceiling(raise: limit, clear: limit * 0.8)
  }
}
