/// One figure held against its budget.
package struct Verdict: Hashable, Sendable, Codable {
  /// What was measured, such as `sync error`.
  package let what: String
  /// The host, or two joined by `/`; nothing for a figure of the whole take.
  package let host: String?
  /// The worst of it; nothing where it could not be measured, which is never within budget.
  package let measured: Double?
  package let budget: Double
  package let unit: String
  /// Whether the measured magnitude is within the budget.
  package let isWithin: Bool

  /// Holds `measured` against `budget`.
  package init(
    _ what: String, host: String? = nil, measured: Double?, budget: Double, unit: String
  ) {
    self.what = what
    self.host = host
    self.measured = measured
    self.budget = budget
    self.unit = unit
    isWithin = measured.map { $0.magnitude <= budget } ?? false
  }

  private enum CodingKeys: String, CodingKey {
    case what
    case host
    case measured
    case budget
    case unit
    case isWithin = "within_budget"
  }
}
