internal import AcousticScene
internal import FoundationEssentials

/// A demo's figures, for people and for programs.
package struct DemoReport: Encodable {
  let schema = "recorder.demo/1"
  let seed: UInt64
  /// The folder of the take.
  let take: String
  let figures: Figures

  /// Makes the report of a take in the folder `take`.
  package init(seed: UInt64, take: String, figures: Figures) {
    self.seed = seed
    self.take = take
    self.figures = figures
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case seed
    case take
    case figures
    case isWithinBudget = "within_budget"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(seed, forKey: .seed)
    try container.encode(take, forKey: .take)
    try container.encode(figures, forKey: .figures)
    try container.encode(figures.isWithinBudget, forKey: .isWithinBudget)
  }

  /// The figures as JSON, a line break at the end.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// The figures as tables.
  package func table() -> String {
    let spread = Fixed.text(figures.firstSampleSpreadSamples, decimals: 2)
    return [
      "Elected: \(figures.coordinator). In sync \(Fixed.text(figures.settledSeconds, decimals: 2))"
        + " s after the last start. First samples within \(spread) samples of each other.", "",
      hosts().text(), "", residuals().text(), "", verdicts().text(), "",
      "The take: \(take)", conclusion(), "",
    ].joined(separator: "\n")
  }

  private func hosts() -> TextTable {
    var table = TextTable(headings: [
      "HOST", "OFFSET us", "BOUND us", "TRUE ERROR us", "FIRST SAMPLE", "FRAMES",
      "PPM BY HOST (TRUE)", "PPM IN SHARED (TRUE)",
    ])
    for host in figures.hosts {
      table.add([
        host.label, Fixed.text(Double(host.saidOffsetNs) / 1_000, decimals: 1),
        "±" + Fixed.text(Double(host.saidBoundNs) / 1_000, decimals: 1),
        Fixed.text(host.syncErrorNs.map { Double($0) / 1_000 }, decimals: 2),
        Fixed.text(host.firstSampleSamples, decimals: 2, signed: true), String(host.rawFrames),
        Self.rates(host.cardPpm, host.trueCardPpm), Self.rates(host.sharedPpm, host.trueSharedPpm),
      ])
    }
    return table
  }

  private static func rates(_ measured: Double?, _ truth: Double) -> String {
    Fixed.text(measured, decimals: 2, signed: true) + " ("
      + Fixed.text(truth, decimals: 2, signed: true) + ")"
  }

  private func residuals() -> TextTable {
    var table = TextTable(headings: ["RESIDUAL OF THE SOUND", "MEDIAN", "WORST", "samples"])
    func add(_ name: String, _ values: [Double?]) {
      let spread = Spread(values)
      table.add([
        name, Fixed.text(spread.median, decimals: 3), Fixed.text(spread.worst, decimals: 3),
        values.map { Fixed.text($0, decimals: 2, signed: true) }.prefix(12)
          .joined(separator: " "),
      ])
    }
    for host in figures.hosts { add(host.label, host.residuals.map(\.samples)) }
    for pair in figures.pairs { add("\(pair.first)/\(pair.second)", pair.residualSamples) }
    return table
  }

  private func verdicts() -> TextTable {
    var table = TextTable(headings: ["", "FIGURE", "WORST", "BUDGET", ""])
    var order: [String] = []
    var groups: [String: [Verdict]] = [:]
    for verdict in figures.verdicts {
      if groups[verdict.what] == nil { order.append(verdict.what) }
      groups[verdict.what, default: []].append(verdict)
    }
    for what in order {
      let group = groups[what] ?? []
      let worst = group.max { one, other in
        (one.measured ?? .infinity).magnitude < (other.measured ?? .infinity).magnitude
      }
      guard let worst else { continue }
      table.add([
        group.allSatisfy(\.isWithin) ? "ok" : "FAIL", what,
        Fixed.text(worst.measured, decimals: 3), "±" + Fixed.text(worst.budget, decimals: 1),
        worst.unit + (worst.host.map { " (\($0))" } ?? ""),
      ])
    }
    return table
  }

  private func conclusion() -> String {
    if figures.isWithinBudget { return "All figures are within their budgets." }
    let failed = figures.verdicts.filter { !$0.isWithin }.map { verdict in
      verdict.what + (verdict.host.map { " of \($0)" } ?? "")
    }
    return "NOT within budget: \(failed.joined(separator: ", "))."
  }
}
