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
  private(set) var response: [Float] = []

  static let groups = 64
  private static let rounds = 3
  /// Bins over which coherence is smoothed: 47 Hz at 48 kHz.
  private static let smoothing = 32

  init(
    of pair: SoundPair, model: DelayModel, track: [Sounding], range: Range<Int64>, limit: Int,
    workers: any Workers
  ) throws(SoundReadError) {
    var (groups, decoys) = try Self.gathered(
      pair, model: model, track: track, range: range, limit: limit, workers: workers)
    let used = WindowPair.usedBins(hertz: pair.hertz)
    self.model = model
    line = RobustLine(x: [], y: [], weights: [], offset: 0, slope: 0, least: 0.002)
    var peak = 0.0
    for round in 0..<Self.rounds {
      let template = Template(groups, used: used, smoothing: Self.smoothing)
      coherence = template.coherence
      let reach = round == 0 ? 64 : 24
      soundings = Self.delays(
        of: groups, against: template, reach: reach, plan: pair.plan, workers: workers)
      line = Self.fit(soundings)
      self.model.add(offset: line.offset, slope: line.slope)
      Self.turn(&groups, by: (line.offset, line.slope), used: used)
      let turned = Template(groups, used: used, smoothing: Self.smoothing)
      response = turned.response()
      let top = Peak.largest(of: response, within: round == 0 ? 480 : 48, signed: false)
      peak = Peak.refined(response, near: top.place, sign: top.value < 0 ? -1 : 1)
      if round + 1 < Self.rounds, abs(peak) > 8 {
        self.model.add(offset: peak, slope: 0)
        Self.turn(&groups, by: (peak, 0), used: used)
      }
    }
    self.model.add(offset: peak, slope: 0)
    evidence = Evidence(
      of: groups, decoys: decoys, used: used, near: Int(peak.rounded()), plan: pair.plan,
      workers: workers)
    let (offset, slope) = (line.offset, line.slope)
    soundings = soundings.map {
      Sounding(
        position: $0.position, delay: $0.delay - offset - slope * $0.position,
        strength: $0.strength)
    }
  }

  /// Turns all groups by a line.
  private static func turn(
    _ groups: inout [CrossSpectrum], by line: (offset: Double, slope: Double), used: Range<Int>
  ) {
    for place in groups.indices {
      groups[place].turn(by: line.offset + line.slope * groups[place].position, used: used)
    }
  }

  /// Reads all windows and adds them up in groups.
  private static func gathered(
    _ pair: SoundPair, model: DelayModel, track: [Sounding], range: Range<Int64>, limit: Int,
    workers: any Workers
  ) throws(SoundReadError) -> (groups: [CrossSpectrum], decoys: [CrossSpectrum]) {
    let positions = SoundPair.positions(in: range, limit: limit)
    let count = min(groups, positions.count)
    let used = WindowPair.usedBins(hertz: pair.hertz)
    let sums = try workers.tryMap(count) { place throws(SoundReadError) in
      let windows = pair.windows()
      let own = positions[positions.count * place / count..<positions.count * (place + 1) / count]
      var jobs = own.map { position in
        let middle = Double(position) + Double(WindowPair.count / 2)
        return Job(
          position: position, middle: middle, delay: model.delay(at: middle),
          weight: weight(at: middle, track: track, model: model))
      }
      jobs.append(decoy(place, of: count, positions, model: model))
      var (sum, decoy) = (CrossSpectrum(), CrossSpectrum())
      for first in stride(from: 0, to: jobs.count, by: WindowPair.batch) {
        let part = jobs[first..<min(jobs.count, first + WindowPair.batch)]
        let spectra = try windows.spectra(at: part.map(\.place)[...])
        for (number, job) in part.enumerated() {
          if first + number == jobs.count - 1 {
            decoy.add(spectra, pair: number, job, used: used)
          } else {
            sum.add(spectra, pair: number, job, used: used)
          }
        }
      }
      return (sum, decoy)
    }
    return (sums.map(\.0), sums.map(\.1))
  }

  /// A pair of windows that is added to a group.
  fileprivate struct Job {
    let position: Int64
    let middle: Double
    let delay: Double
    let weight: Double

    /// The delay in whole samples, and what is left of it.
    var whole: Double { delay.rounded() }
    var place: WindowPair.Place { WindowPair.Place(position: position, delay: Int64(whole)) }
  }

  /// A window of the one held against the other half the overlap away, where they have nothing in
  /// common but chance.
  private static func decoy(
    _ place: Int, of count: Int, _ positions: [Int64], model: DelayModel
  ) -> Job {
    let own = positions.count * place / count
    let position = positions[own]
    let elsewhere = positions[(own + positions.count / 2) % positions.count]
    let delay = model.delay(at: Double(position)).rounded() + Double(position - elsewhere)
    return Job(position: elsewhere, middle: Double(position), delay: delay, weight: 1)
  }

  /// A window counts by how clearly its track showed the delay.
  private static func weight(at middle: Double, track: [Sounding], model: DelayModel) -> Double {
    var low = 0
    var high = track.count
    while low < high {
      let half = (low + high) / 2
      if track[half].position < middle { low = half + 1 } else { high = half }
    }
    let near = track[max(0, low - 1)..<min(track.count, low + 1)]
    let best =
      near.map { sounding in
        let distance = abs(sounding.delay - model.delay(at: sounding.position))
        return distance < 3 ? sounding.strength - 3 : 0
      }.max() ?? 0
    return max(0.05, min(20, best))
  }

  private static func delays(
    of groups: [CrossSpectrum], against template: Template, reach: Int, plan: BatchFFT.Plan,
    workers: any Workers
  ) -> [Sounding] {
    let pieces = 4
    let parts: [[Sounding]] = workers.map(pieces) { piece in
      let transform = BatchFFT(plan)
      let range = groups.count * piece / pieces..<groups.count * (piece + 1) / pieces
      var found: [Sounding] = []
      InverseTransforms.run(range, transform) {
        template.matched(groups[$0])
      } take: { place, values in
        let top = Peak.largest(of: values, within: reach, signed: true)
        var noise: Float = 0
        for lag in 300..<3000 { noise += values[lag] * values[lag] }
        let strength = top.value / ((noise / 2700).squareRoot() + 1e-20)
        found.append(
          Sounding(
            position: groups[place].position,
            delay: Peak.refined(values, near: top.place, sign: 1), strength: Double(strength)))
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

extension CrossSpectrum {
  fileprivate mutating func add(
    _ spectra: PairSpectra, pair: Int, _ job: CoherentPolish.Job, used: Range<Int>
  ) {
    add(
      spectra, pair: pair, turn: job.delay - job.whole, weight: job.weight, position: job.middle,
      used: used)
  }
}
