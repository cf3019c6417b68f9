/// How a host's clock stood to its coordinator's, from all exchanges of a take at once.
///
/// Live, the recorder knows the past alone. Here each place is judged by the exchanges before and
/// behind it: the line that leaves the widest margin to what the packets' travel allows (the
/// max-margin line with ageing), in a window around the place. So an outage is bridged from both
/// of its sides.
public struct ClockRefit: Sendable {
  /// Places between which the difference is straight.
  private let places: [Double]
  private let offsets: [Double]
  private let base: Int64

  /// Half a window, in nanoseconds.
  private static let reach = 30e9
  /// Between two places, in nanoseconds.
  private static let spacing = 5e9
  /// By what an exchange ages: parts of the time that it is away, 0.1 ppm.
  private static let ageing = 1e-7
  /// How far a window's rate may be from the whole take's.
  private static let bend = 5e-6
  /// The fewest exchanges that tell anything.
  static let least = 8

  /// Fits the exchanges with one coordinator, or nothing where they are too few.
  public init?(_ exchanges: [ExchangePoint]) {
    let points = exchanges.sorted { $0.host < $1.host }
    guard points.count >= Self.least, let first = points.first, let last = points.last else {
      return nil
    }
    base = first.host
    let shift = first.there
    let x = points.map { Double($0.host - first.host) }
    let there = points.map { Double($0.there - shift) }
    let back = points.map { Double($0.back + shift) }
    let span = Double(last.host - first.host)
    let whole = Self.margin(
      x: x, there: there, back: back, in: 0..<x.count, at: span / 2, around: 0, width: 500e-6,
      ageing: 0)
    var places: [Double] = []
    var offsets: [Double] = []
    let count = max(2, Int(span / Self.spacing) + 1)
    var low = 0
    var high = 0
    var next = 0
    for step in 0..<count {
      let place = span * Double(step) / Double(count - 1)
      while next < x.count, x[next] < place { next += 1 }
      // In an outage the window goes on to what lies on both of its sides.
      let before = next > 0 ? x[next - 1] : place
      let behind = next < x.count ? x[next] : place
      let from = min(place - Self.reach, before - Self.reach / 2)
      let to = max(place + Self.reach, behind + Self.reach / 2)
      while low < x.count, x[low] < from { low += 1 }
      while high < x.count, x[high] <= to { high += 1 }
      var range = low..<high
      if range.count < Self.least {
        range = max(0, low - Self.least)..<min(x.count, high + Self.least)
      }
      let fit = Self.margin(
        x: x, there: there, back: back, in: range, at: place, around: whole.slope,
        width: Self.bend, ageing: Self.ageing)
      places.append(place)
      offsets.append(fit.offset + Double(shift))
    }
    self.places = places
    self.offsets = offsets
  }

  /// The coordinator's clock less the host's, in nanoseconds, when the host's shows `host`.
  public func offset(at host: Int64) -> Double {
    let place = Double(host - base)
    var index = Int(place / (places[1] - places[0]))
    index = max(0, min(places.count - 2, index))
    let part = (place - places[index]) / (places[index + 1] - places[index])
    return offsets[index] + part * (offsets[index + 1] - offsets[index])
  }

  /// The line of the widest margin: its height at `place` and its slope.
  private static func margin(
    x: [Double], there: [Double], back: [Double], in range: Range<Int>, at place: Double,
    around slope: Double, width: Double, ageing: Double
  ) -> (offset: Double, slope: Double) {
    func floors(_ slope: Double) -> (Double, Double) {
      var (low, high) = (Double.infinity, Double.infinity)
      for index in range {
        let away = x[index] - place
        let age = ageing * abs(away)
        low = min(low, there[index] - slope * away + age)
        high = min(high, back[index] + slope * away + age)
      }
      return (low, high)
    }
    let golden = 0.618_033_988_749_895
    var (left, right) = (slope - width, slope + width)
    for _ in 0..<48 {
      let one = right - golden * (right - left)
      let other = left + golden * (right - left)
      let (a, b) = (floors(one), floors(other))
      if a.0 + a.1 < b.0 + b.1 { left = one } else { right = other }
    }
    let best = (left + right) / 2
    let (low, high) = floors(best)
    return ((low - high) / 2, best)
  }
}
