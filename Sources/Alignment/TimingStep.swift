/// What a timing log says of one frame, in nanoseconds: when it was taken by the host's clock, and
/// when in shared time.
public struct TimingReading: Hashable, Sendable {
  public let frame: Double
  public let host: Int64
  public let shared: Int64
  /// What is open of frame to host time, and of host to shared time.
  public let cardBound: Double
  public let clockBound: Double
  /// The clock map's generation: shared time may step from one to the next, which is no secret.
  public let generation: UInt32

  /// Makes a reading of its parts.
  public init(
    frame: Double, host: Int64, shared: Int64, cardBound: Double, clockBound: Double,
    generation: UInt32
  ) {
    self.frame = frame
    self.host = host
    self.shared = shared
    self.cardBound = cardBound
    self.clockBound = clockBound
    self.generation = generation
  }
}

/// A place at which a timing log contradicts itself: from one reading to the next more time went by,
/// or less, than the frames or the clocks explain.
public struct TimingStep: Hashable, Sendable {
  /// What stepped.
  public enum Cause: Hashable, Sendable {
    /// Frames were lost, or came twice: they step against the host's clock.
    case samples
    /// Shared time steps against the host's clock.
    case clock
    /// The host's own clock stepped, and shared time did not: nothing is wrong with the map.
    case host
    /// Frames and shared time both step, by different amounts.
    case both
  }

  public let cause: Cause
  /// The frames of the readings on both sides.
  public let from: Double
  public let to: Double
  /// By how many nanoseconds the host's clock went on beyond what the frames explain.
  public let samplesNanoseconds: Double
  /// By how many nanoseconds shared time went on beyond the host's clock.
  public let clockNanoseconds: Double

  /// The least step that is told, in nanoseconds: wander and a filter's settling stay below.
  static let least = 200_000.0
  /// A step stands out from what the bounds allow by this factor.
  private static let factor = 3.0
  /// What a crystal's rate may change by between two readings, in parts.
  private static let wander = 20e-6
  /// Readings on each side that have to agree that a step lasts.
  private static let witnesses = 3
}

extension TimingStep {
  /// All steps in `readings`, which are in order of frame.
  public static func all(
    in readings: [TimingReading], framesPerSecond: Double
  ) -> [TimingStep] {
    guard readings.count > 2 * witnesses else { return [] }
    let nominal = 1e9 / framesPerSecond
    let base = readings[0]
    // Time of the frames, of the host and of shared time, each since the first reading.
    let own = readings.map { ($0.frame - base.frame) * nominal }
    let host = readings.map { Double($0.host - base.host) }
    let card = readings.indices.map { host[$0] - own[$0] }
    let clock = readings.indices.map { Double(readings[$0].shared - base.shared) - host[$0] }
    let cardSlope = slope(card, over: own)
    let clockSlope = slope(clock, over: own)
    return readings.indices.dropLast().compactMap { place in
      let (one, next) = (readings[place], readings[place + 1])
      let apart = own[place + 1] - own[place]
      let room = wander * apart + least
      let samples = jump(in: card, over: own, slope: cardSlope, at: place)
      let clocks =
        one.generation == next.generation
        ? jump(in: clock, over: own, slope: clockSlope, at: place) : 0
      let samplesRoom = room + factor * (one.cardBound + next.cardBound)
      let clockRoom = room + factor * (one.clockBound + next.clockBound)
      let hasSamples = abs(samples) > samplesRoom
      let hasClock = abs(clocks) > clockRoom
      guard hasSamples || hasClock else { return nil }
      let cancels = hasSamples && hasClock && abs(samples + clocks) < samplesRoom + clockRoom
      let cause: Cause =
        cancels ? .host : hasSamples && hasClock ? .both : hasSamples ? .samples : .clock
      return TimingStep(
        cause: cause, from: one.frame, to: next.frame, samplesNanoseconds: samples,
        clockNanoseconds: clocks)
    }
  }

  /// The median slope from reading to reading.
  private static func slope(_ values: [Double], over x: [Double]) -> Double {
    let slopes = values.indices.dropLast().compactMap { place in
      x[place + 1] > x[place]
        ? (values[place + 1] - values[place]) / (x[place + 1] - x[place]) : nil
    }
    return slopes.isEmpty ? 0 : WeightedLine.median(slopes)
  }

  /// By how much the level behind `place` lies above that before; 0 unless the nearest two
  /// readings show as much, so that no step is told twice.
  private static func jump(
    in values: [Double], over x: [Double], slope: Double, at place: Int
  ) -> Double {
    func level(_ range: Range<Int>) -> Double {
      WeightedLine.median(range.map { values[$0] - slope * x[$0] })
    }
    let before = max(0, place + 1 - witnesses)..<place + 1
    let behind = place + 1..<min(values.count, place + 1 + witnesses)
    let lasting = level(behind) - level(before)
    let sudden = level(place + 1..<place + 2) - level(place..<place + 1)
    return abs(sudden) > abs(lasting) / 2 && sudden * lasting > 0 ? lasting : 0
  }
}
