internal import FFT

/// Lays many sounds onto one timeline from what was found of pairs of them.
///
/// Each sound is a line: its sample p lies at p · rate + offset of the timeline of the sound that
/// its group is measured by. Rates are fitted first, as logarithms, which add up; then offsets,
/// by each pair's middle. A pair that contradicts the others grossly is left out, and said.
struct PairGraph {
  /// A found pair.
  struct Edge {
    let one: Int
    let other: Int
    /// The middle of what both have, along the other, and the delay there.
    let middle: Double
    let delay: Double
    let slope: Double
    let delaySigma: Double
    let slopeSigma: Double
    /// How many samples of the timeline its delay is off what all pairs agreed on.
    var residual = 0.0
    var isUsed = true
  }

  /// A sound's line.
  struct Place {
    /// The sound that its group is measured by.
    var root: Int
    /// The logarithm of the rate.
    var logRate = 0.0
    var offset = 0.0
    /// The offset's standard deviation, in samples.
    var sigma = 0.0

    var rate: Double { Elementary.exp(logRate) }
  }

  private(set) var edges: [Edge]
  private(set) var places: [Place]

  /// What a pair's delay is known to at best: a room's reflections blur the direct sound.
  private static let leastSigma = 0.02
  /// A pair this far off the others, in samples, is wrong.
  private static let gross = 24.0

  init(count: Int, edges: [Edge], reference: Int) {
    self.edges = edges
    places = (0..<count).map { Place(root: $0) }
    while true {
      findGroups(count: count, reference: reference)
      solve()
      guard let worst = worstContradiction() else { break }
      self.edges[worst].isUsed = false
    }
  }

  private mutating func findGroups(count: Int, reference: Int) {
    places = (0..<count).map { Place(root: $0) }
    let order = [reference] + (0..<count).filter { $0 != reference }
    var seen: Set<Int> = []
    for root in order where !seen.contains(root) {
      var open = [root]
      while let node = open.popLast() {
        guard seen.insert(node).inserted else { continue }
        places[node].root = root
        for edge in edges where edge.isUsed {
          if edge.one == node { open.append(edge.other) }
          if edge.other == node { open.append(edge.one) }
        }
      }
    }
  }

  private mutating func solve() {
    for root in Set(places.map(\.root)) {
      let nodes = places.indices.filter { places[$0].root == root && $0 != root }
      let used = edges.filter { $0.isUsed && places[$0.one].root == root }
      guard !nodes.isEmpty else { continue }
      let rates = Self.fitted(
        nodes: nodes,
        equations: used.map { edge in
          let sigma = edge.slopeSigma + Self.leastSigma / max(1, edge.middle)
          return (edge.one, edge.other, Elementary.log(1 + edge.slope), 1 / (sigma * sigma))
        })
      for (node, value) in zip(nodes, rates.values) { places[node].logRate = value }
      let offsets = Self.fitted(
        nodes: nodes,
        equations: used.map { edge in
          let sigma = edge.delaySigma + Self.leastSigma
          return (edge.one, edge.other, difference(edge), 1 / (sigma * sigma))
        })
      for (place, node) in nodes.enumerated() {
        places[node].offset = offsets.values[place]
        places[node].sigma = offsets.sigmas[place]
      }
    }
    for index in edges.indices {
      let edge = edges[index]
      guard places[edge.one].root == places[edge.other].root else { continue }
      edges[index].residual =
        difference(edge) - (places[edge.other].offset - places[edge.one].offset)
    }
  }

  /// By how much the other's offset exceeds the one's, by this pair.
  private func difference(_ edge: Edge) -> Double {
    (edge.middle + edge.delay) * places[edge.one].rate - edge.middle * places[edge.other].rate
  }

  private func worstContradiction() -> Int? {
    edges.indices.filter { edges[$0].isUsed && abs(edges[$0].residual) > Self.gross }
      .max { abs(edges[$0].residual) < abs(edges[$1].residual) }
  }

  /// Least squares of value(other) − value(one) = difference, with the root's value 0.
  private static func fitted(
    nodes: [Int], equations: [(one: Int, other: Int, difference: Double, weight: Double)]
  ) -> (values: [Double], sigmas: [Double]) {
    let count = nodes.count
    let scale = equations.map(\.weight).max() ?? 1
    var rows = (0..<count).map { _ in [Double](repeating: 0, count: 2 * count + 1) }
    for row in 0..<count { rows[row][count + 1 + row] = 1 }
    for equation in equations {
      let weight = equation.weight / scale
      let one = nodes.firstIndex(of: equation.one)
      let other = nodes.firstIndex(of: equation.other)
      for (place, sign) in [(one, -1.0), (other, 1.0)] {
        guard let place else { continue }
        rows[place][place] += weight
        rows[place][count] += sign * weight * equation.difference
      }
      if let one, let other {
        rows[one][other] -= weight
        rows[other][one] -= weight
      }
    }
    eliminate(&rows, count: count)
    return (
      rows.map { $0[count] },
      rows.indices.map { (max(0, rows[$0][count + 1 + $0]) / scale).squareRoot() }
    )
  }

  private static func eliminate(_ rows: inout [[Double]], count: Int) {
    for pivot in 0..<count {
      let top = (pivot..<count).max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) } ?? pivot
      rows.swapAt(pivot, top)
      let scale = rows[pivot][pivot]
      guard scale != 0 else { continue }
      rows[pivot] = rows[pivot].map { $0 / scale }
      for row in 0..<count where row != pivot {
        let factor = rows[row][pivot]
        guard factor != 0 else { continue }
        for column in rows[row].indices { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
  }
}
