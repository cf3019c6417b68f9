internal import FFT

/// The delay between two sounds window by window, about a model of it.
struct DelayTrack: Sendable {
  /// A window's strongest place near the model.
  private(set) var soundings: [Sounding] = []
  /// Where the blocks' common places lie, relative to the model.
  private(set) var offers: [[LagPath.Offer]] = []
  /// The middles of the blocks.
  private(set) var middles: [Double] = []

  /// How near to the model a window's own place is sought, in samples.
  static let near = 48
  /// How far a block's places are sought: 0.17 s at 48 kHz.
  static let far = WindowPair.count / 4
  /// From what on a window counts less and less, in spreads, so that none decides alone and the
  /// direct sound still outweighs its echoes.
  private static let ceiling: Float = 6
  /// From what a block's place is offered on: of 16 000 places by chance alone the highest
  /// reaches 4.
  private static let convincing = 5.0

  private struct Block: Sendable {
    var soundings: [Sounding] = []
    var offers: [LagPath.Offer] = []
    var middle = 0.0
  }

  init(
    of pair: SoundPair, about model: DelayModel, polarity: Float, in range: Range<Int64>,
    limit: Int, workers: any Workers
  ) throws(SoundReadError) {
    let positions = SoundPair.positions(in: range, limit: limit)
    let size = max(2, min(8, positions.count / 6))
    let count = (positions.count + size - 1) / size
    let pieces = workers.pieces(of: count, least: 1)
    let parts = try workers.tryMap(pieces) { piece throws(SoundReadError) in
      var windows = pair.windows()
      var blocks: [Block] = []
      for place in count * piece / pieces..<count * (piece + 1) / pieces {
        let slice = positions[place * size..<min(positions.count, (place + 1) * size)]
        blocks.append(try Self.block(slice, by: &windows, about: model, polarity: polarity))
      }
      return blocks
    }
    for block in parts.joined() {
      soundings += block.soundings
      offers.append(block.offers)
      middles.append(block.middle)
    }
  }

  private static func block(
    _ positions: ArraySlice<Int64>, by windows: inout WindowPair, about model: DelayModel,
    polarity: Float
  ) throws(SoundReadError) -> Block {
    var block = Block()
    var sums = [Float](repeating: 0, count: 2 * far + 1)
    let places = positions.map { position in
      let middle = Double(position) + Double(WindowPair.count / 2)
      return WindowPair.Place(
        position: position, delay: Int64(model.delay(at: middle).rounded()))
    }
    try windows.likeness(at: places) { place, lags in
      let middle = Double(place.position) + Double(WindowPair.count / 2)
      lags.addDamped(within: far, sign: polarity, ceiling: ceiling, to: &sums)
      let peak = nearest(lags, polarity: polarity)
      block.soundings.append(
        Sounding(
          position: middle, delay: Double(place.delay) + peak.place, strength: peak.strength))
      block.middle += middle / Double(positions.count)
    }
    block.offers = Self.places(in: sums)
    return block
  }

  private static func nearest(
    _ values: Lags, polarity: Float
  ) -> (place: Double, strength: Double) {
    var best = (place: 0, value: -Float.infinity)
    for place in -near...near {
      let value = polarity * values[place]
      if value > best.value { best = (place, value) }
    }
    let place = Peak.refined(values, near: best.place, sign: polarity)
    return (place, Double(best.value))
  }

  /// The most prominent places of a block's sum.
  private static func places(in sums: [Float]) -> [LagPath.Offer] {
    let size = SampleSums.size(of: sums, in: sums.indices)
    let spread = Double(size) / Double(sums.count) * 1.2533
    guard spread > 0 else { return [] }
    var sums = sums
    var offers: [LagPath.Offer] = []
    while offers.count < 4 {
      var top = 0
      for place in sums.indices where sums[place] > sums[top] { top = place }
      let strength = Double(sums[top]) / spread
      guard strength > convincing else { break }
      offers.append(LagPath.Offer(lag: Double(top - far), strength: strength))
      for place in max(0, top - 16)...min(sums.count - 1, top + 16) { sums[place] = 0 }
    }
    return offers
  }
}
