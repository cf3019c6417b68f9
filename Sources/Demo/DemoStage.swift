internal import AcousticScene
internal import Glibc
internal import HostClock
internal import Units

/// Runs a whole fleet on this machine and judges what it recorded.
public struct DemoStage: Sendable {
  private let options: DemoOptions

  /// Makes the stage for a demo of `options`, whose numbers must lie within their ranges.
  public init(options: DemoOptions) {
    precondition(DemoOptions.hostCounts.contains(options.hosts), "\(options.hosts) hosts")
    precondition(DemoOptions.lengths.contains(options.seconds), "\(options.seconds) s")
    self.options = options
  }

  /// Runs the demo to its end: 0 where all is within budget, 1 where not, 78 where a part of the
  /// program is missing, 130 when interrupted. The figures go to standard output, talk to
  /// standard error.
  public func run() -> Int32 {
    do {
      let began = HostClock().now()
      let interruption = try Interruption()
      let program = try Program()
      let workplace = try Workplace(keeps: options.keepsFiles)
      defer { workplace.leave() }
      let performance = Performance(
        options: options, program: program, workplace: workplace, interruption: interruption)
      let take = try performance.perform()
      var figures = take.figures
      let budgets = Budgets(hosts: options.hosts, seconds: options.seconds)
      figures.verdicts.append(
        Verdict(
          "the whole demo", measured: (HostClock().now() - began).inSeconds,
          budget: budgets.totalSeconds, unit: "s"))
      let report = DemoReport(seed: options.seed, take: take.folder, figures: figures)
      Output.say(options.json ? try report.json() : report.table())
      return figures.isWithinBudget ? 0 : 1
    } catch let error as DemoError {
      Output.talk("recorder demo: \(error)")
      return error.exitCode
    } catch {
      Output.talk("recorder demo: \(error)")
      return 1
    }
  }
}
