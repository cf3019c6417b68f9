internal import FFT

/// All windows' cross spectra, turned by a model of the delay and added up in groups over time; and
/// what chance alone would show.
struct GatheredWindows: Sendable {
  private(set) var groups: [CrossSpectrum]
  /// The powers of all windows.
  private let powers: CrossSum.Powers
  /// Over the delays, the sum of pairs that have nothing in common.
  let decoys: [Float]

  /// Groups that are made as one piece of work, at least: every so many-th, so that some of them are
  /// half the overlap apart.
  private static let together = 16
  /// Windows in a group at least, where that leaves enough groups to tell a curve.
  private static let leastWindows = 4
  private static let fewGroups = 32

  init(
    _ pair: SoundPair, model: DelayModel, track: [Sounding], range: Range<Int64>, limit: Int,
    workers: any Workers
  ) throws(SoundReadError) {
    let positions = SoundPair.positions(in: range, limit: limit)
    let wanted = max(Self.fewGroups, positions.count / Self.leastWindows)
    let count = min(CoherentPolish.groups, positions.count, wanted)
    let pieces = workers.pieces(of: count, least: Self.together)
    let weights = TrackWeights(track, model: model)
    let parts = try workers.tryMap(pieces) { piece throws(SoundReadError) in
      var part = Part(count: (count - piece + pieces - 1) / pieces)
      var windows = pair.windows()
      for (number, group) in stride(from: piece, to: count, by: pieces).enumerated() {
        let own = positions.count * group / count..<positions.count * (group + 1) / count
        try part.add(
          positions[own].map { Job(at: $0, model: model, weights: weights) }, as: number,
          &windows)
      }
      return part.finished(BatchFFT(pair.plan), used: windows.used)
    }
    groups = (0..<count).map { parts[$0 % pieces].groups[$0 / pieces] }
    powers = parts.dropFirst().reduce(into: parts[0].powers) { $0.add($1.powers) }
    decoys = parts.dropFirst().reduce(into: parts[0].decoys) { SampleSums.add($1.decoys, to: &$0) }
  }

  /// What the groups have in common.
  func template(used: Range<Int>, smoothing: Int) -> Template {
    Template(groups, powers: powers, used: used, smoothing: smoothing)
  }

  /// What every second group has in common, and what the others have.
  func halves(used: Range<Int>, smoothing: Int) -> [Template] {
    (0..<2).map { first in
      let part = stride(from: first, to: groups.count, by: 2).map { groups[$0] }
      return Template(part, powers: powers, used: used, smoothing: smoothing)
    }
  }

  /// Turns all groups by a line.
  mutating func turn(by line: (offset: Double, slope: Double), used: Range<Int>) {
    for place in groups.indices {
      groups[place].turn(by: line.offset + line.slope * groups[place].position, used: used)
    }
  }

  /// A pair of windows that is added to a group.
  private struct Job {
    let middle: Double
    let place: WindowPair.Place
    /// What is left of the delay beside whole samples.
    let turn: Double
    let weight: Double

    init(at position: Int64, model: DelayModel, weights: TrackWeights) {
      middle = Double(position) + Double(WindowPair.count / 2)
      let delay = model.delay(at: middle)
      place = WindowPair.Place(
        position: position, delay: Int64(delay.rounded()), slope: model.slope)
      turn = delay - delay.rounded()
      weight = weights.weight(at: middle)
    }
  }

  /// The groups of one piece of work.
  private struct Part {
    private var groups: [CrossSpectrum] = []
    private var powers = CrossSum.Powers(bins: WindowPair.bins)
    private var decoys: Decoys

    init(count: Int) { decoys = Decoys(count: count) }

    mutating func add(
      _ jobs: [Job], as number: Int, _ windows: inout WindowPair
    ) throws(SoundReadError) {
      var sum = CrossSpectrum()
      for first in stride(from: 0, to: jobs.count, by: WindowPair.batch) {
        let batch = jobs[first..<min(jobs.count, first + WindowPair.batch)]
        try windows.transform(batch.map(\.place)[...])
        for (pair, job) in batch.enumerated() {
          sum.add(
            windows.spectra, pair: pair, turn: job.turn, weight: job.weight, position: job.middle,
            used: windows.used, powers: &powers)
        }
        decoys.take(windows.spectra, pair: 0, as: number)
      }
      groups.append(sum)
    }

    func finished(
      _ transform: borrowing BatchFFT, used: Range<Int>
    ) -> (groups: [CrossSpectrum], powers: CrossSum.Powers, decoys: [Float]) {
      (groups, powers, decoys.sums(by: transform, used: used))
    }
  }
}

/// How much a window counts: by how clearly the track showed the delay there.
private struct TrackWeights: Sendable {
  private let track: [(position: Double, excess: Double)]

  init(_ track: [Sounding], model: DelayModel) {
    self.track = track.map { sounding in
      let distance = abs(sounding.delay - model.delay(at: sounding.position))
      return (sounding.position, distance < 3 ? sounding.strength - 3 : 0)
    }
  }

  func weight(at middle: Double) -> Double {
    var low = 0
    var high = track.count
    while low < high {
      let half = (low + high) / 2
      if track[half].position < middle { low = half + 1 } else { high = half }
    }
    let near = track[max(0, low - 1)..<min(track.count, low + 1)]
    return max(0.05, min(20, near.map(\.excess).max() ?? 0))
  }
}
