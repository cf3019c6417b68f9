package import AcousticScene
internal import Units

/// Judges a take by the truth: what the hosts said, what they recorded and what was aligned.
///
/// A function of its arguments alone, so that tests can plant faults in the evidence.
package struct TakeJudge: Sendable {
  private let plan: StagePlan
  private let rateHertz: Double
  private let meter: ResidualMeter
  private let budgets: Budgets

  /// Makes the judge of takes that heard `scene` under `plan`.
  package init(plan: StagePlan, scene: Scene, budgets: Budgets) {
    self.plan = plan
    rateHertz = plan.hosts.first?.crystal.rateHertz ?? Double(StagePlan.rateHertz)
    meter = ResidualMeter(scene: scene)
    self.budgets = budgets
  }

  /// All figures of `evidence`, each held against its budget.
  ///
  /// - Precondition: the evidence has as many hosts as the plan, and the coordinator's readings.
  package func figures(of evidence: TakeEvidence) -> Figures {
    precondition(evidence.hosts.count == plan.hosts.count, "evidence of every host")
    let coordinator = plan.hosts[evidence.coordinator]
    guard let anchor = evidence.hosts[evidence.coordinator].readings.first else {
      preconditionFailure("the coordinator was asked for its time")
    }
    let truth = SharedTruth(coordinator: coordinator.clock, anchor: anchor)
    let hosts = plan.hosts.indices.map { place in
      measure(evidence.hosts[place], host: plan.hosts[place], take: evidence, truth: truth)
    }
    let firsts = hosts.compactMap(\.firstSampleSamples)
    let spread = firsts.count == hosts.count ? (firsts.max() ?? 0) - (firsts.min() ?? 0) : nil
    var found = Figures(
      coordinator: coordinator.label, settledSeconds: evidence.settledSeconds,
      firstSampleSpreadSamples: spread, hosts: hosts, pairs: Self.pairs(of: hosts), verdicts: [])
    found.verdicts = verdicts(on: found, take: evidence)
    return found
  }

  private func measure(
    _ evidence: HostEvidence, host: HostTruth, take: TakeEvidence, truth: SharedTruth
  ) -> HostFigures {
    let start = truth.instant(at: take.t0)
    let end = truth.instant(at: take.t1)
    let counted = host.crystal.count(at: end) - host.crystal.count(at: start)
    let hostSeconds = (host.clock.host(at: end) - host.clock.host(at: start)).inSeconds
    let errors = evidence.readings.map { truth.errorNanoseconds(of: $0, clock: host.clock) }
    return HostFigures(
      label: host.label, saidOffsetNs: Self.worst(evidence.readings.map(\.offsetNanoseconds)) ?? 0,
      saidBoundNs: Self.worst(evidence.readings.map(\.boundNanoseconds)) ?? 0,
      syncErrorNs: Self.worst(errors),
      firstSampleSamples: firstSample(of: evidence.rawBeginning, host: host, start: start),
      rawFrames: evidence.rawFrames, trueFrames: counted, cardPpm: evidence.cardPpm,
      trueCardPpm: (counted / (rateHertz * hostSeconds) - 1) * 1e6,
      sharedPpm: evidence.sharedPpm,
      trueSharedPpm: (counted / (rateHertz * (take.t1 - take.t0).inSeconds) - 1) * 1e6,
      alignedFrames: evidence.aligned.count,
      residuals: residuals(of: evidence, host: host, truth: truth))
  }

  /// Where the raw file's first sample lies against `start`, by ear, in samples of its crystal:
  /// the sound tells which tick of the crystal the file begins with.
  private func firstSample(of sound: [Double], host: HostTruth, start: TrueInstant) -> Double? {
    guard sound.count >= 64 else { return nil }
    let exact = host.crystal.count(at: start)
    let tick = exact.rounded()
    let found = meter.residual(of: sound, in: 0..<sound.count) { frame in
      host.crystal.seconds(untilCount: tick + frame) - host.delaySeconds
    }
    return found.samples.map { tick - $0 - exact }
  }

  private func residuals(
    of evidence: HostEvidence, host: HostTruth, truth: SharedTruth
  ) -> [Residual] {
    meter.residuals(of: evidence.aligned, stretch: Int(rateHertz)) { frame in
      let elapsed = Int64((frame * 1e9 / rateHertz).rounded())
      let taken = truth.instant(at: evidence.alignedStart + .nanoseconds(elapsed))
      return taken.seconds(since: plan.origin) - host.delaySeconds
    }
  }

  private static func pairs(of hosts: [HostFigures]) -> [PairFigures] {
    hosts.indices.flatMap { first in
      hosts.indices.dropFirst(first + 1).map { second in
        PairFigures(
          first: hosts[first].label, second: hosts[second].label,
          residualSamples: Residual.between(hosts[first].residuals, and: hosts[second].residuals))
      }
    }
  }

  private static func worst(_ values: [Int64]) -> Int64? {
    values.max { $0.magnitude < $1.magnitude }
  }
}

extension TakeJudge {
  private func verdicts(on figures: Figures, take: TakeEvidence) -> [Verdict] {
    var verdicts = [
      Verdict(
        "in sync after the last start", measured: figures.settledSeconds,
        budget: budgets.settledSeconds, unit: "s")
    ]
    for (place, host) in figures.hosts.enumerated() {
      verdicts += self.verdicts(on: host, isCoordinator: place == take.coordinator)
    }
    let lengths = figures.hosts.map(\.alignedFrames)
    verdicts.append(
      Verdict(
        "lengths of aligned files", measured: Double((lengths.max() ?? 0) - (lengths.min() ?? 0)),
        budget: 0, unit: "samples"))
    let span = (take.t1 - take.t0).inSeconds * rateHertz
    verdicts.append(
      Verdict(
        "aligned length from T0 to T1", measured: Double(lengths.min() ?? 0) - span,
        budget: budgets.lengthSamples, unit: "samples"))
    for pair in figures.pairs {
      verdicts.append(
        Verdict(
          "residual between", host: "\(pair.first)/\(pair.second)",
          measured: Spread(pair.residualSamples).worst, budget: budgets.residualSamples,
          unit: "samples"))
    }
    return verdicts
  }

  private func verdicts(on host: HostFigures, isCoordinator: Bool) -> [Verdict] {
    func verdict(_ what: String, _ measured: Double?, _ budget: Double, _ unit: String) -> Verdict {
      Verdict(what, host: host.label, measured: measured, budget: budget, unit: unit)
    }
    return [
      verdict(
        isCoordinator ? "timeline kept" : "sync error", host.syncErrorNs.map(Double.init),
        isCoordinator ? budgets.timelineNs : budgets.syncErrorNs, "ns"),
      verdict(
        "first sample from T0", host.firstSampleSamples, budgets.firstSampleSamples, "samples"),
      verdict(
        "length of the raw file", Double(host.rawFrames) - host.trueFrames, budgets.lengthSamples,
        "samples"),
      verdict(
        "rate by the host's clock", host.cardPpm.map { $0 - host.trueCardPpm }, budgets.ratePpm,
        "ppm"),
      verdict(
        "rate in shared time", host.sharedPpm.map { $0 - host.trueSharedPpm }, budgets.ratePpm,
        "ppm"),
      verdict(
        "residual of the sound", Spread(host.residuals.map(\.samples)).worst,
        budgets.residualSamples, "samples"),
    ]
  }
}
