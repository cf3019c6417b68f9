/// The line on which most of a few points agree.
enum Consensus {
  /// What was found.
  struct Line {
    var offset: Double
    var slope: Double
    var agreeing: [Int]
    var score: Double
  }

  /// Tries the line through every two points, and the level through each.
  static func line(
    x: [Double], y: [Double], weights: [Double], tolerance: Double, steepest: Double
  ) -> Line {
    var best = Line(offset: 0, slope: 0, agreeing: [], score: -1)
    func test(_ offset: Double, _ slope: Double) {
      var score = 0.0
      for place in x.indices where abs(y[place] - offset - slope * x[place]) < tolerance {
        score += weights[place]
      }
      if score > best.score {
        best = Line(offset: offset, slope: slope, agreeing: [], score: score)
      }
    }
    for one in x.indices {
      test(y[one], 0)
      for other in x.indices.dropFirst(one + 1) where x[other] != x[one] {
        let slope = (y[other] - y[one]) / (x[other] - x[one])
        if abs(slope) <= steepest { test(y[one] - slope * x[one], slope) }
      }
    }
    best.agreeing = x.indices.filter {
      abs(y[$0] - best.offset - best.slope * x[$0]) < tolerance
    }
    return best
  }
}
