/// A stretch of a stream's observations: the earliest of them, and how late the others were.
struct SampleSpan: Sendable {
  /// So many frames had been taken at this host time, in nanoseconds.
  struct Look: Sendable {
    let count: Int64
    let host: Int64
  }

  /// The most looks that are kept to be judged again.
  static let mostLooks = 96

  /// Which span of host time.
  let number: Int64
  private var earliest: Look
  private var looks: [Look]
  /// The sum of all looks' lateness against the earliest, to judge the pointer's steps by.
  private var lateness = 0.0
  /// How many looks there were.
  private(set) var observations = 1

  init(number: Int64, first: Look) {
    self.number = number
    earliest = first
    looks = [first]
  }

  /// The count of the earliest look.
  var count: Int64 { earliest.count }

  /// When the earliest look was, in nanoseconds of host time.
  var host: Int64 { earliest.host }

  /// How late the earliest is on average, in nanoseconds: of n looks spread evenly over a step w
  /// it is w/(n + 1).
  var bias: Double { step / Double(observations + 1) }

  /// Over how long the looks are spread in lateness, in nanoseconds: twice their mean.
  var step: Double { observations > 1 ? 2 * lateness / Double(observations - 1) : 0 }

  /// Takes one more look in, with frames of `spacing` nanoseconds.
  mutating func add(_ look: Look, spacing: Double) {
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
