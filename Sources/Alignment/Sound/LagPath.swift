/// The course of the delay over blocks of windows, of which each offers a few places.
///
/// Dynamic programming over all blocks: a place may be followed by another one nearby for
/// nothing, and by one elsewhere at a price that only a lasting change pays back. Blocks that
/// offer nothing convincing are passed over.
enum LagPath {
  /// A place that a block offers.
  struct Offer: Sendable {
    let lag: Double
    /// How far it stands out, in spreads.
    let strength: Double
  }

  /// A block's place on the path.
  struct Point {
    let block: Int
    let lag: Double
  }

  /// What a jump costs, in spreads: one block alone never pays it.
  private static let jumpPrice = 20.0
  /// What strength a block counts with at most.
  private static let ceiling = 12.0
  /// What strength beyond the ceiling still counts, so that the direct sound outweighs its echoes.
  private static let tieBreak = 0.1
  /// Samples by which the path may bend from a block to the next.
  static let bend = 4.0

  static func best(
    offers: [[Offer]], positions: [Double], drift: Double
  ) -> [Point] {
    var scores: [[Double]] = []
    var origins: [[(Int, Int)?]] = []
    for block in offers.indices {
      var row: [Double] = []
      var from: [(Int, Int)?] = []
      for offer in offers[block] {
        var best = (score: 0.0, origin: (Int, Int)?.none)
        for earlier in max(0, block - 24)..<block {
          let room = bend + drift * (positions[block] - positions[earlier])
          for (place, other) in offers[earlier].enumerated() {
            let price = abs(offer.lag - other.lag) <= room ? 0 : jumpPrice
            let score = scores[earlier][place] - price
            if score > best.score { best = (score, (earlier, place)) }
          }
        }
        row.append(best.score + min(ceiling, offer.strength) + tieBreak * offer.strength)
        from.append(best.origin)
      }
      scores.append(row)
      origins.append(from)
    }
    return walkBack(offers: offers, scores: scores, origins: origins)
  }

  private static func walkBack(
    offers: [[Offer]], scores: [[Double]], origins: [[(Int, Int)?]]
  ) -> [Point] {
    var end: (Int, Int)?
    var top = 0.0
    for block in scores.indices {
      for place in scores[block].indices where scores[block][place] > top {
        top = scores[block][place]
        end = (block, place)
      }
    }
    var path: [Point] = []
    while let (block, place) = end {
      path.append(Point(block: block, lag: offers[block][place].lag))
      end = origins[block][place]
    }
    return path.reversed()
  }
}
