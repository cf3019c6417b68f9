internal import TakeAlignment

/// Says how far aligning has come: for whoever watches with speed and remaining time, and for a
/// log a line a step.
struct AlignmentSigns {
  /// What is said of a moment.
  struct Sign: Equatable {
    /// For a line that the next one replaces.
    let text: String
    /// For a line of its own, where a new step begins.
    let step: String?
  }

  private var step = ""
  /// When the stage began whose speed is told.
  private var stage: (name: String, began: Double) = ("", 0)

  /// Too little of a stage to tell its speed by, in seconds.
  private static let least = 0.5

  /// The sign for `progress` at `now` seconds after the beginning.
  mutating func sign(of progress: AlignmentProgress, atSeconds now: Double) -> Sign {
    let (step, stage, rest) =
      switch progress {
      case .reading(let file): ("reading \(file)", "reading", "")
      case .comparing(let fraction, let seconds):
        ("comparing sounds", "comparing", pace("comparing", fraction, seconds, now))
      case .rendering(let file, let fraction, let seconds):
        ("rendering \(file)", "rendering", pace("rendering", fraction, seconds, now))
      case .wrote(let path): ("wrote \(path)", self.stage.name, "")
      }
    if stage != self.stage.name { self.stage = (stage, now) }
    let isNew = step != self.step
    self.step = step
    return Sign(text: step + rest, step: isNew ? step : nil)
  }

  /// How much is done, how fast it goes, and how long it takes still.
  private func pace(
    _ name: String, _ fraction: Double, _ seconds: Double, _ now: Double
  ) -> String {
    let percent = " \(Decimals.text(fraction * 100, places: 0)) %"
    let spent = name == stage.name ? now - stage.began : 0
    guard spent >= Self.least, fraction > 0 else { return percent }
    let speed = Decimals.text(seconds * fraction / spent, places: 0)
    let left = Int((spent * (1 - fraction) / fraction).rounded(.up))
    let time = left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s"
    return "\(percent), \(speed) × real time, \(time) left"
  }
}
