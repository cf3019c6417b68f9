import Scenarios
import TestLanes
import Testing

/// Whole nodes under seeded networks and clocks; `docs/testing.md` has the table.
@Suite("Scenarios", .computing)
struct ScenarioTests {
  static let quick = Scenario.all.filter { $0.quickSeeds > 0 }.map(\.name)

  @Test("every invariant and the budget hold", arguments: quick)
  func holds(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let outcomes = (1...UInt64(scenario.quickSeeds)).map { scenario.run(seed: $0) }
    for outcome in outcomes where !outcome.isGood {
      Issue.record("\(outcome.violations) again: .ci/scenarios 1 \(name) \(outcome.seed)")
    }
    let share = Outcome.jitterShare(of: outcomes)
    #expect(share >= scenario.budget.jitterShare, "of all seeds")
  }

  @Test("names are unlike one another")
  func names() { #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count) }

  @Test("the same seed gives the same course")
  func repeatable() throws {
    let scenario = try #require(Scenario.named("storm-2"))
    let (one, other) = (scenario.run(seed: 1), scenario.run(seed: 1))
    #expect(one.readings == other.readings)
    #expect(one.worstRatio == other.worstRatio)
    #expect(one.violations == other.violations)
  }
}
