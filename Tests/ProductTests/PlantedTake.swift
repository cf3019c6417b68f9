import AcousticScene
import Demo
import Units

/// A take as a perfect product would leave it, at 8 kHz: to plant faults in.
struct PlantedTake {
  static let rate = 8_000.0
  static let seconds = 2

  let scene = Scene(seed: 21, seconds: 2, rateHertz: 8_000)
  let plan: StagePlan
  var evidence: TakeEvidence

  init() {
    let origin = TrueInstant(nanoseconds: 900_000_000_000)
    let usual = StagePlan(seed: 4, count: 3, origin: origin)
    let hosts = usual.hosts.map { host in
      HostTruth(
        label: host.label, clock: host.clock,
        crystal: CrystalModel(
          origin: origin, rateHertz: Self.rate, partsPerMillion: host.crystal.partsPerMillion,
          wanderPartsPerMillion: host.crystal.wanderPartsPerMillion,
          wanderPeriodSeconds: host.crystal.wanderPeriodSeconds),
        delaySeconds: host.delaySeconds)
    }
    plan = StagePlan(origin: origin, hosts: hosts)
    let begin = origin.advanced(bySeconds: 5)
    let t0 = SharedInstant(nanoseconds: 90_000_000_000_000)
    let anchor = SyncReading(host: hosts[1].clock.host(at: begin), shared: t0)
    let truth = SharedTruth(coordinator: hosts[1].clock, anchor: anchor)
    let t1 = t0 + .seconds(Self.seconds)
    let scene = scene
    evidence = TakeEvidence(
      hosts: hosts.map { Self.evidence(of: $0, truth: truth, scene: scene, t0: t0, t1: t1) },
      coordinator: 1, t0: t0, t1: t1, settledSeconds: 1.5)
  }

  /// The figures that the judge finds in the evidence.
  func figures() -> Figures {
    TakeJudge(plan: plan, scene: scene, budgets: Budgets()).figures(of: evidence)
  }

  /// What a host whose belief in shared time is `belief` in place of `truth` leaves behind.
  static func evidence(
    of host: HostTruth, truth: SharedTruth, belief: SharedTruth? = nil, scene: Scene,
    t0: SharedInstant, t1: SharedInstant
  ) -> HostEvidence {
    let belief = belief ?? truth
    let begin = belief.instant(at: t0)
    let end = belief.instant(at: t1)
    let first = host.crystal.count(at: begin).rounded()
    let last = host.crystal.count(at: end).rounded()
    let spanned = host.crystal.count(at: end) - host.crystal.count(at: begin)
    let hostSpan = (host.clock.host(at: end) - host.clock.host(at: begin)).inSeconds
    let ear = Ear(scene: scene)
    return HostEvidence(
      readings: [begin, end].map {
        SyncReading(host: host.clock.host(at: $0), shared: belief.shared(at: $0))
      },
      cardPpm: (spanned / (rate * hostSpan) - 1) * 1e6,
      sharedPpm: (spanned / (rate * (t1 - t0).inSeconds) - 1) * 1e6, rawFrames: Int(last - first),
      rawBeginning: (0..<2_500).map {
        ear.hear(host.crystal.seconds(untilCount: first + Double($0)) - host.delaySeconds)
      },
      aligned: (0..<Int(rate) * seconds).map { frame in
        let shared = t0 + .nanoseconds(Int64(frame) * 125_000)
        return ear.hear(
          belief.instant(at: shared).seconds(since: host.crystal.origin) - host.delaySeconds)
      },
      alignedStart: t0)
  }
}

/// Hears a scene between its samples by cubic pieces: crude, and nobody else's code.
struct Ear {
  let scene: Scene

  func hear(_ seconds: Double) -> Double {
    let position = seconds * scene.rateHertz
    let whole = position.rounded(.down)
    let part = position - whole
    func sample(_ step: Int) -> Double {
      let count = scene.samples.count
      return Double(scene.samples[((Int(whole) + step) % count + count) % count])
    }
    let (a, b, c, d) = (sample(-1), sample(0), sample(1), sample(2))
    let slope = (c - a) / 2
    let nextSlope = (d - b) / 2
    let square = 3 * (c - b) - 2 * slope - nextSlope
    let cube = 2 * (b - c) + slope + nextSlope
    return ((cube * part + square) * part + slope) * part + b
  }
}
