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
      soundings = Self.delays(of: groups, against: template, reach: reach, workers: workers)
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
      of: groups, decoys: decoys, used: used, near: Int(peak.rounded()), workers: workers)
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
      var sum = CrossSpectrum()
      for window in positions.count * place / count..<positions.count * (place + 1) / count {
        let position = positions[window]
        let middle = Double(position) + Double(WindowPair.count / 2)
        let ideal = model.delay(at: middle)
        let whole = ideal.rounded()
        let (a, b) = try windows.spectra(at: position, delay: Int64(whole))
        sum.add(
          a, b, turn: ideal - whole, weight: weight(at: middle, track: track, model: model),
          position: middle, used: used)
      }
      return (sum, try decoy(place, of: count, positions, model: model, windows, used: used))
    }
    return (sums.map(\.0), sums.map(\.1))
  }

  /// A window of the one held against the other half the overlap away, where they have nothing in
  /// common but chance.
  private static func decoy(
    _ place: Int, of count: Int, _ positions: [Int64], model: DelayModel,
    _ windows: borrowing WindowPair, used: Range<Int>
  ) throws(SoundReadError) -> CrossSpectrum {
    let position = positions[positions.count * place / count]
    let elsewhere = positions[
      (positions.count * place / count + positions.count / 2) % positions.count]
    let delay = Int64(model.delay(at: Double(position)).rounded()) + position - elsewhere
    let (a, b) = try windows.spectra(at: elsewhere, delay: delay)
    var sum = CrossSpectrum()
    sum.add(a, b, turn: 0, weight: 1, position: Double(position), used: used)
    return sum
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
    of groups: [CrossSpectrum], against template: Template, reach: Int, workers: any Workers
  ) -> [Sounding] {
    let pieces = 4
    let parts: [[Sounding]] = workers.map(pieces) { piece in
      let transform = RealFFT(count: WindowPair.count)
      let range = groups.count * piece / pieces..<groups.count * (piece + 1) / pieces
      return range.map { place in
        let values = transform.sequence(of: template.matched(groups[place]))
        let top = Peak.largest(of: values, within: reach, signed: true)
        var noise: Float = 0
        for lag in 300..<3000 { noise += values[lag] * values[lag] }
        let strength = top.value / ((noise / 2700).squareRoot() + 1e-20)
        return Sounding(
          position: groups[place].position,
          delay: Peak.refined(values, near: top.place, sign: 1), strength: Double(strength))
      }
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
