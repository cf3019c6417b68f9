/// How far one sound is ahead of another, along the other: a line, with a curve and steps upon it.
///
/// The other's sample p sounds like the one's sample p + delay(p).
struct DelayModel: Hashable, Sendable {
  /// A point of the curve.
  struct Knot: Hashable, Sendable {
    let position: Double
    let delay: Double
  }

  /// From `position` on there are `samples` more.
  struct Step: Hashable, Sendable {
    var position: Double
    var samples: Double
    /// How far off `position` it may lie, in samples.
    var room = 0.0
  }

  /// The line at position 0, in samples.
  var offset: Double
  /// Samples a sample.
  var slope: Double
  /// Straight between knots and level beyond them.
  var curve: [Knot] = []
  var steps: [Step] = []

  /// The delay at `position`, in samples.
  func delay(at position: Double) -> Double {
    var delay = offset + slope * position + bend(at: position)
    for step in steps where position >= step.position { delay += step.samples }
    return delay
  }

  /// The curve's part of it.
  func bend(at position: Double) -> Double {
    guard let first = curve.first, let last = curve.last else { return 0 }
    if position <= first.position { return first.delay }
    if position >= last.position { return last.delay }
    let place = (position - first.position) / (last.position - first.position)
    var low = min(curve.count - 2, Int(place * Double(curve.count - 1)))
    while low > 0, curve[low].position > position { low -= 1 }
    while low < curve.count - 2, curve[low + 1].position < position { low += 1 }
    let part = (position - curve[low].position) / (curve[low + 1].position - curve[low].position)
    return curve[low].delay + part * (curve[low + 1].delay - curve[low].delay)
  }

  /// The model with `line` and `curve` added to it.
  mutating func add(offset: Double, slope: Double) {
    self.offset += offset
    self.slope += slope
  }
}

extension DelayModel {
  /// Adds a curve to the one there is.
  mutating func addCurve(_ more: [Knot]) {
    guard !curve.isEmpty else {
      curve = more
      return
    }
    let added = DelayModel(offset: 0, slope: 0, curve: more)
    let positions = Set(curve.map(\.position) + more.map(\.position)).sorted()
    curve = positions.map { Knot(position: $0, delay: bend(at: $0) + added.bend(at: $0)) }
  }
}
