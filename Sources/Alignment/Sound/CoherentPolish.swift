internal import FFT

/// Refines a model by the phase of all windows together.
///
/// The windows' cross spectra are turned by the model and added up in groups over time. Their
/// sum tells at which frequencies the sounds are coherent and with what phase; the delay of each
/// group is measured against the sum of all others, a line (or curve) through those delays
/// corrects the model, and so on. The highest point of the summed response is the direct sound.
struct CoherentPolish: Sendable {
  private(set) var model: DelayModel
  /// The groups' remaining delays, with how well each is known.
  private(set) var soundings: [Sounding] = []
  private(set) var line: RobustLine
  /// How alike the sounds are, 0 to 1, over the bins that were compared.
  private(set) var coherence = 0.0
  /// How the delay's likelihood at its place stands out among those at others.
  private(set) var evidence: Evidence
  /// The summed response around the direct sound.
  private(set) var response = Lags([0], count: 1)

  /// How alike the room's answers of every second group and of the others are, −1 to 1: near 0 where
  /// there is hardly an answer to be heard, as outdoors. Only where it was asked for.
  private(set) var constancy = 0.0

  /// Groups of windows at most.
  static let groups = 64
  private static let rounds = 3
  /// Below this, in samples, a further round changes nothing.
  private static let settled = 0.003
  /// Bins over which coherence is smoothed: 47 Hz at 48 kHz.
  private static let smoothing = 32

  init(
    of pair: SoundPair, model: DelayModel, track: [Sounding], range: Range<Int64>, limit: Int,
    tellsConstancy: Bool = false, workers: any Workers
  ) throws(SoundReadError) {
    var gathered = try GatheredWindows(
      pair, model: model, track: track, range: range, limit: limit, workers: workers)
    let used = WindowPair.usedBins(hertz: pair.hertz)
    let transform = BatchFFT(pair.plan)
    self.model = model
    line = RobustLine(x: [], y: [], weights: [], offset: 0, slope: 0, least: 0.002)
    var template = gathered.template(used: used, smoothing: Self.smoothing)
    evidence = Evidence(sigmas: 0, highestDecoy: 0, decoys: 0)
    var peak = 0.0
    for round in 0..<Self.rounds {
      soundings = Self.delays(
        of: gathered.groups, against: template, reach: round == 0 ? 64 : 24, plan: pair.plan,
        workers: workers)
      line = Self.fit(soundings)
      self.model.add(offset: line.offset, slope: line.slope)
      gathered.turn(by: (line.offset, line.slope), used: used)
      template = gathered.template(used: used, smoothing: Self.smoothing)
      response = template.response(by: transform)
      let top = Peak.largest(of: response, within: round == 0 ? 480 : 48, signed: false)
      peak = Peak.refined(response, near: top.place, sign: top.value < 0 ? -1 : 1)
      if round + 1 < Self.rounds, abs(peak) > 8 {
        self.model.add(offset: peak, slope: 0)
        gathered.turn(by: (peak, 0), used: used)
        template = gathered.template(used: used, smoothing: Self.smoothing)
      } else if round > 0, isSettled(range) {
        break
      }
    }
    coherence = template.coherence
    if tellsConstancy {
      let halves = gathered.halves(used: used, smoothing: Self.smoothing)
        .map { $0.response(by: transform) }
      constancy = RoomAnswer.likeness(halves[0], halves[1])
    }
    self.model.add(offset: peak, slope: 0)
    evidence = Evidence(
      of: gathered.groups, decoys: gathered.decoys, used: used, near: Int(peak.rounded()),
      plan: pair.plan, workers: workers)
    let (offset, slope) = (line.offset, line.slope)
    soundings = soundings.map {
      Sounding(
        position: $0.position, delay: $0.delay - offset - slope * $0.position,
        strength: $0.strength)
    }
  }

  /// Whether the last line moved nothing.
  private func isSettled(_ range: Range<Int64>) -> Bool {
    [range.lowerBound, range.upperBound].allSatisfy {
      abs(line.offset + line.slope * Double($0)) < Self.settled
    }
  }

  private static func delays(
    of groups: [CrossSpectrum], against template: Template, reach: Int, plan: BatchFFT.Plan,
    workers: any Workers
  ) -> [Sounding] {
    let pieces = workers.pieces(of: groups.count, least: 2 * BatchFFT.lanes)
    let parts: [[Sounding]] = workers.map(pieces) { piece in
      let transform = BatchFFT(plan)
      let range = groups.count * piece / pieces..<groups.count * (piece + 1) / pieces
      var found: [Sounding] = []
      InverseTransforms.run(range, transform) { number, spectra, lane in
        template.match(groups[number], into: &spectra, lane)
      } take: { number, values, lane in
        let lags = Lags(values, from: lane * WindowPair.count, count: WindowPair.count)
        let top = Peak.largest(of: lags, within: reach, signed: true)
        let strength = top.value / (lags.power(in: 300..<3000).squareRoot() + 1e-20)
        found.append(
          Sounding(
            position: groups[number].position,
            delay: Peak.refined(lags, near: top.place, sign: 1), strength: Double(strength)))
      }
      return found
    }
    return parts.flatMap { $0 }
  }

  private static func fit(_ soundings: [Sounding]) -> RobustLine {
    let x = soundings.map(\.position)
    let y = soundings.map(\.delay)
    var weights = soundings.map { sounding in
      let excess = max(0, min(30, sounding.strength - 3.5))
      return excess * excess + 1e-6
    }
    if soundings.count(where: { $0.strength > 5 }) < 3 {
      weights = soundings.map { max(0.1, $0.strength) }
    }
    return RobustLine(x: x, y: y, weights: weights, offset: 0, slope: 0, least: 0.002)
  }
}
