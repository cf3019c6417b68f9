import Scenarios

/// The table that the runner prints.
enum Table {
  private static let widths = [22, 7, 8, 13, 12, 10, 11, 8]

  static let head = line([
    "scenario", "seeds", "failed", "worst error", "of budget", "of bound", "jitter", "took",
  ])

  static func row(of scenario: Scenario, _ outcomes: [Outcome], took: Duration) -> String {
    let worst = outcomes.map(\.worstMicroseconds).max() ?? 0
    return line([
      scenario.name, "\(outcomes.count)", "\(outcomes.count { !$0.isGood })",
      "\(decimals(worst, 2)) us", "\(decimals(100 * worst / scenario.budget.microseconds, 0)) %",
      decimals(outcomes.map(\.worstRatio).max() ?? 0, 2),
      "\(decimals(100 * Outcome.jitterShare(of: outcomes), 1)) %",
      "\(decimals(Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18, 1)) s",
    ])
  }

  static func failure(_ outcome: Outcome) -> String {
    let rerun = "  failed: .ci/scenarios 1 \(outcome.scenario) \(outcome.seed)"
    return ([rerun] + outcome.violations.map { "    \($0)" }).joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { place, pair in
      let room = String(repeating: " ", count: max(0, pair.1 - pair.0.count))
      return place == 0 ? pair.0 + room : room + pair.0
    }.joined()
  }

  /// A number with so many decimals.
  private static func decimals(_ value: Double, _ count: Int) -> String {
    var scale = 1.0
    for _ in 0..<count { scale *= 10 }
    let scaled = Int64((value * scale).rounded())
    guard count > 0 else { return "\(scaled)" }
    let rest = String(scaled % Int64(scale))
    return "\(scaled / Int64(scale))." + String(repeating: "0", count: count - rest.count) + rest
  }
}
