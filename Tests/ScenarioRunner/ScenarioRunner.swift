import Glibc
import Scenarios

/// `ScenarioRunner COUNT [SCENARIO|short [FIRST-SEED [tell]]]`: plays scenarios from many seeds, prints a table.
@main
struct ScenarioRunner {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let order = Order(words) else {
      print("usage: .ci/scenarios COUNT [SCENARIO|short [FIRST-SEED [tell]]]\nscenarios:")
      for scenario in Scenario.all { print("  \(scenario.name): \(scenario.story)") }
      exit(64)
    }
    if order.isTold {
      for seed in order.seeds(of: order.scenarios[0]) {
        _ = order.scenarios[0].run(seed: seed) { print($0) }
      }
      exit(0)
    }
    print(Table.head)
    var failures = 0
    for scenario in order.scenarios {
      let began = ContinuousClock.now
      let outcomes = await play(scenario, seeds: order.seeds(of: scenario))
      print(Table.row(of: scenario, outcomes, took: ContinuousClock.now - began))
      for outcome in outcomes where !outcome.isGood { print(Table.failure(outcome)) }
      for note in outcomes.first?.notes ?? [] { print("    \(note)") }
      fflush(nil)
      failures += outcomes.count { !$0.isGood }
      // Of few seeds a share says little.
      if outcomes.count >= 5, Outcome.jitterShare(of: outcomes) < scenario.budget.jitterShare {
        print("  failed: the jitter bound held in too few readings")
        failures += 1
      }
    }
    print(failures == 0 ? "all held" : "\(failures) seeds failed")
    exit(failures == 0 ? 0 : 1)
  }

  /// Plays a seed. What takes minutes says to the standard error how far it is.
  private static func run(_ scenario: Scenario, seed: UInt64) -> Outcome {
    guard scenario.isLarge else { return scenario.run(seed: seed) }
    let began = ContinuousClock.now
    func tell(_ passed: Duration) {
      let took = (ContinuousClock.now - began).components.seconds
      let line = "\(scenario.name) \(seed): \(passed) of \(scenario.span) in \(took) s\n"
      _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    return scenario.run(seed: seed, progress: tell)
  }

  /// Plays two seeds at a time.
  private static func play(_ scenario: Scenario, seeds: [UInt64]) async -> [Outcome] {
    await withTaskGroup(of: Outcome.self) { group in
      var waiting = seeds[...]
      var outcomes: [Outcome] = []
      for _ in 0..<2 {
        if let seed = waiting.popFirst() { group.addTask { run(scenario, seed: seed) } }
      }
      while let outcome = await group.next() {
        outcomes.append(outcome)
        if let seed = waiting.popFirst() { group.addTask { run(scenario, seed: seed) } }
      }
      return outcomes.sorted { $0.seed < $1.seed }
    }
  }
}

/// What is asked for on the command line.
struct Order {
  let scenarios: [Scenario]
  /// Whether each event is to be told, in place of a table.
  let isTold: Bool
  private let count: UInt64
  private let first: UInt64
  private let isNamed: Bool

  init?(_ words: [String]) {
    guard (1...4).contains(words.count), let count = UInt64(words[0]), count > 0 else {
      return nil
    }
    self.count = count
    isTold = words.count == 4 && words[3] == "tell"
    isNamed = words.count > 1
    if words.count > 1 {
      let short = Scenario.all.filter { $0.quickSeeds > 0 }
      guard let some = words[1] == "short" ? short : Scenario.named(words[1]).map({ [$0] })
      else { return nil }
      scenarios = some
    } else {
      scenarios = Scenario.all
    }
    guard words.count > 2 else {
      first = 1
      return
    }
    guard let seed = UInt64(words[2]) else { return nil }
    first = seed
  }

  /// A scenario of hours is played once among many others, and as often as asked by itself.
  func seeds(of scenario: Scenario) -> [UInt64] {
    let many = isNamed || scenario.quickSeeds > 0
    return (0..<(many ? count : 1)).map { first + $0 }
  }
}
