/// A stretch of a stream's observations: the earliest of them, and how late the others were.
///
/// A look at the pointer is late by up to a step of it; an *edge*, a look that saw it move, by what
/// lies between two looks. Once there is an edge the other looks tell nothing more.
struct SampleSpan: Sendable {
  /// So many frames had been taken at this host time, in nanoseconds.
  struct Look: Sendable {
    let count: Int64
    let host: Int64
    var isEdge = false
  }

  /// The most looks that are kept to be judged again.
  static let mostLooks = 96
  /// How many looks an edge is worth.
  static let worthOfEdge = 6

  /// Which span of host time.
  let number: Int64
  private var earliest: Look
  private var looks: [Look]
  /// The sum of all looks' lateness against the earliest, to judge the pointer's steps by.
  private var lateness = 0.0
  /// How many looks count.
  private(set) var observations = 1
  private var hasEdges: Bool

  init(number: Int64, first: Look) {
    self.number = number
    earliest = first
    looks = [first]
    hasEdges = first.isEdge
  }

  /// The count of the earliest look.
  var count: Int64 { earliest.count }

  /// When the earliest look was, in nanoseconds of host time.
  var host: Int64 { earliest.host }

  /// How many looks at a pointer that happens to stand somewhere these are worth.
  var worth: Int { observations * (hasEdges ? Self.worthOfEdge : 1) }

  /// How late the earliest is on average, in nanoseconds: of n looks spread evenly over a step w
  /// it is w/(n + 1).
  func bias(ofStep step: Double) -> Double { step / Double(observations + 1) }

  /// The same of the lowest of several such spans: of n looks in ten spans each the earliest of all
  /// is w/(10n + 1) late, and the lowest of many lie around that.
  func leastBias(ofStep step: Double, among spans: Int) -> Double {
    step / Double(spans * observations + 1)
  }

  /// Over how long the looks are spread in lateness, in nanoseconds. Of n of them spread evenly over
  /// w the others are together later than the earliest by w·n(n − 1)/2(n + 1) on average.
  var step: Double {
    guard observations > 1 else { return 0 }
    let count = Double(observations)
    return lateness * 2 * (count + 1) / (count * (count - 1))
  }

  /// Takes one more look in, with frames of `spacing` nanoseconds.
  mutating func add(_ look: Look, spacing: Double) {
    guard look.isEdge || !hasEdges else { return }
    if look.isEdge, !hasEdges {
      self = SampleSpan(number: number, first: look)
      return
    }
    if looks.count < Self.mostLooks { looks.append(look) }
    weigh(look, spacing: spacing)
  }

  /// Finds the earliest anew, with frames of `spacing` nanoseconds.
  mutating func judge(spacing: Double) {
    guard let first = looks.first else { return }
    earliest = first
    lateness = 0
    observations = 1
    for look in looks.dropFirst() { weigh(look, spacing: spacing) }
  }

  /// Keeps the earliest look alone.
  mutating func forget() { if !looks.isEmpty { looks = [] } }

  private mutating func weigh(_ look: Look, spacing: Double) {
    let late = Double(look.host - host) - Double(look.count - count) * spacing
    if late < 0 {
      // A new earliest: all the others are later by that much more.
      lateness -= late * Double(observations)
      earliest = look
    } else {
      lateness += late
    }
    observations += 1
  }
}

extension [SampleSpan] {
  /// Over how long looks are spread in lateness, in nanoseconds: the middle of what the spans say,
  /// so that one in which the machine was busy does not count for more than that.
  var step: Double {
    let steps = filter { $0.observations > 1 }.map(\.step).sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }
}
