/// Median and worst magnitude of figures, both nothing as soon as one figure is missing.
struct Spread: Hashable, Sendable {
  let median: Double?
  let worst: Double?

  init(_ figures: [Double?]) {
    let known = figures.compactMap { $0 }
    guard known.count == figures.count, !known.isEmpty else {
      median = nil
      worst = nil
      return
    }
    let sizes = known.map(\.magnitude).sorted()
    median = sizes[sizes.count / 2]
    worst = sizes.last
  }
}
