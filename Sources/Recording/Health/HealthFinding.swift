internal import Units

/// How one thing stands at one moment, with the words for it.
struct HealthFinding: Hashable, Sendable {
  let key: Alert.Key
  /// The severity that its figure is enough for; nothing where it is well or in between.
  var raise: Alert.Severity?
  /// The severity that its figure still keeps up; nothing where it is well.
  var keep: Alert.Severity?
  let text: String
  let next: String
  /// How long it must last before it is said.
  var holds = Duration.zero
  /// How long it must be well before that is said.
  var clears = Duration.zero

  /// Makes a finding of something that holds or does not.
  init(
    _ kind: AlertKind, _ subject: String = "", _ severity: Alert.Severity?, _ text: String,
    _ next: String
  ) {
    key = Alert.Key(kind, subject)
    raise = severity
    keep = severity
    self.text = text
    self.next = next
  }

  /// The same, said and taken back only when it has lasted.
  func lasting(_ holds: Duration, _ clears: Duration) -> HealthFinding {
    var finding = self
    finding.holds = holds
    finding.clears = clears
    return finding
  }

  /// A figure against limits: `critical` is the further one.
  mutating func measure(
    _ figure: Double, floor: HealthLimits.Floor, critical: HealthLimits.Floor
  ) {
    raise = figure < critical.raise ? .critical : figure < floor.raise ? .warning : nil
    keep = figure < critical.clear ? .critical : figure < floor.clear ? .warning : nil
  }

  mutating func measure(
    _ figure: Double, ceiling: HealthLimits.Ceiling, critical: HealthLimits.Ceiling? = nil
  ) {
    let isCritical = { (limit: KeyPath<HealthLimits.Ceiling, Double>) in
      critical.map { figure >= $0[keyPath: limit] } ?? false
    }
    raise = isCritical(\.raise) ? .critical : figure >= ceiling.raise ? .warning : nil
    keep = isCritical(\.clear) ? .critical : figure >= ceiling.clear ? .warning : nil
  }
}
