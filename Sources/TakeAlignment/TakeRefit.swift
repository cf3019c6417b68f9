internal import Alignment
internal import Recording
internal import Units

/// Shared time of a take's files, refitted from all that their logs hold together.
///
/// Each host's clock is fitted to its coordinator's by every exchange of the take. The
/// coordinator's own log, where it is among the files, tells its clock in shared time exactly;
/// else the live readings' average does.
struct TakeRefit: Sendable {
  /// A coordinator's clock in shared time: shared = clock + height + slope · (clock − base).
  private struct CoordinatorLine {
    let base: Int64
    let height: Double
    let slope: Double
  }

  /// A stretch of a log in which one coordinator's clock was the measure.
  private struct Reign {
    let coordinator: String
    let refit: ClockRefit
    /// From the first exchange to the last, by the host's clock.
    let span: ClosedRange<Int64>

    /// By how far a moment lies outside, in nanoseconds.
    func distance(of host: Int64) -> Int64 {
      max(0, span.lowerBound - host, host - span.upperBound)
    }
  }

  private let logs: [TimingLogFile]

  /// A reading this far from all exchanges, in nanoseconds, is left as it was live: then the host
  /// itself was the coordinator, or heard nobody for long.
  private static let reach: Int64 = 5_000_000_000
  /// A coordinator's clock that seems to differ from shared time by less, in parts, is its measure.
  private static let leastSlope = 0.5e-6
  /// How long after its last exchange a host may still follow, in nanoseconds.
  private static let settling: Int64 = 5_000_000_000

  init(_ logs: [TimingLogFile]) { self.logs = logs }

  /// The observations of log number `index` with refitted shared times, or nothing where its
  /// exchanges do not tell it better than the recorder knew it live: the log of a host that was
  /// the coordinator throughout, or with too few exchanges. Of several coordinators each tells the
  /// stretch in which it was the measure.
  func observations(of index: Int) -> [TimingObservation]? {
    let log = logs[index]
    let raw = log.observations
    let reigns = Self.reigns(of: log)
    let hosts = log.chosenClocks.map(\.host.nanoseconds)
    guard let first = raw.first, !reigns.isEmpty else { return nil }
    let owners = hosts.map { host in
      reigns.indices.min { reigns[$0].distance(of: host) < reigns[$1].distance(of: host) }
        .flatMap { reigns[$0].distance(of: host) <= Self.reach ? $0 : nil }
    }
    var refitted = raw
    for (number, reign) in reigns.enumerated() {
      let places = raw.indices.filter { owners[$0] == number }
      guard let start = places.first else { continue }
      let origin = reign.refit.offset(at: hosts[start])
      let base = hosts[start] + Int64(origin.rounded())
      let clocks = places.map { place in
        Double(hosts[place] - hosts[start]) + (reign.refit.offset(at: hosts[place]) - origin)
      }
      let told = places.map { raw[$0] }
      guard
        let line = line(of: reign.coordinator)
          ?? average(clocks: clocks, start: base, raw: told)
      else { continue }
      for (clock, place) in zip(clocks, places) {
        let ahead = line.height + line.slope * (Double(base - line.base) + clock)
        let shared = Double(base - first.shared.nanoseconds) + clock + ahead
        refitted[place] = TimingObservation(
          frame: raw[place].frame, shared: first.shared + .nanoseconds(Int64(shared.rounded())),
          jitterBoundNanoseconds: raw[place].jitterBoundNanoseconds,
          pathLimitNanoseconds: raw[place].pathLimitNanoseconds)
      }
    }
    return refitted == raw ? nil : refitted
  }

  private static func reigns(of log: TimingLogFile) -> [Reign] {
    log.exchanges.sorted { $0.key < $1.key }.compactMap { coordinator, points in
      guard let refit = ClockRefit(points), let first = points.map(\.host).min(),
        let last = points.map(\.host).max()
      else { return nil }
      return Reign(coordinator: coordinator, refit: refit, span: first...last)
    }
  }

  /// The line of the coordinator whose own log is among the files, by the readings that it took
  /// while it followed nobody.
  private func line(of coordinator: String) -> CoordinatorLine? {
    guard let log = logs.first(where: { $0.header.peer.description == coordinator }) else {
      return nil
    }
    let following = log.exchanges.values.compactMap { points in
      points.map(\.host).min().flatMap { low in points.map(\.host).max().map { low...$0 } }
    }
    let clocks = log.chosenClocks.filter { clock in
      following.allSatisfy { span in
        clock.host.nanoseconds < span.lowerBound - Self.settling
          || clock.host.nanoseconds > span.upperBound + Self.settling
      }
    }
    guard let first = clocks.first, let last = clocks.last, last.host > first.host else {
      return nil
    }
    let base = first.host.nanoseconds
    let ahead = clocks.map { Double($0.shared.nanoseconds - $0.host.nanoseconds) }
    let span = Double(last.host.nanoseconds - base)
    let slope = (ahead[ahead.count - 1] - ahead[0]) / span
    // The coordinator's clock is shared time but for a constant rate: anything else is no line.
    let isStraight = clocks.indices.allSatisfy { place in
      let x = Double(clocks[place].host.nanoseconds - base)
      return abs(ahead[place] - ahead[0] - slope * x) < 200
    }
    return isStraight ? CoordinatorLine(base: base, height: ahead[0], slope: slope) : nil
  }

  /// The line that the host's own live readings show on average.
  private func average(
    clocks: [Double], start: Int64, raw: [TimingObservation]
  ) -> CoordinatorLine? {
    guard clocks.count >= 8, let first = raw.first else { return nil }
    let ahead = raw.indices.map { place in
      Double(raw[place].shared.nanoseconds - first.shared.nanoseconds) - clocks[place]
    }
    let count = Double(ahead.count)
    let level = ahead.reduce(0, +) / count
    let middle = clocks.reduce(0, +) / count
    let square = clocks.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    let product = clocks.indices.reduce(0) { $0 + (clocks[$1] - middle) * (ahead[$1] - level) }
    let offset = Double(first.shared.nanoseconds - start)
    // Who founded a session is its measure; who took over goes at a rate of its own.
    let slope = square > 0 && abs(product / square) > Self.leastSlope ? product / square : 0
    return CoordinatorLine(base: start, height: offset + level - slope * middle, slope: slope)
  }
}
