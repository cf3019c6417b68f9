internal import Alignment
internal import Recording
internal import Units

/// Shared time of a take's files, refitted from all that their logs hold together.
///
/// Each host's clock is fitted to its coordinator's by every exchange of the take. The
/// coordinator's own log, where it is among the files, tells its clock in shared time exactly;
/// else the live readings' average does.
struct TakeRefit {
  /// A coordinator's clock in shared time: shared = clock + height + slope · (clock − base).
  private struct CoordinatorLine {
    let base: Int64
    let height: Double
    let slope: Double
  }

  private let logs: [TimingLogFile]

  init(_ logs: [TimingLogFile]) { self.logs = logs }

  /// The observations of log number `index` with refitted shared times, or nothing where its
  /// exchanges do not tell it better than the recorder knew it live: the coordinator's own log,
  /// several coordinators, too few exchanges.
  func observations(of index: Int) -> [TimingObservation]? {
    let log = logs[index]
    let raw = log.observations
    guard log.exchanges.count == 1, let (coordinator, points) = log.exchanges.first,
      let refit = ClockRefit(points), let first = raw.first
    else { return nil }
    let hosts = log.chosenClocks.map(\.host.nanoseconds)
    let origin = refit.offset(at: hosts[0])
    let clocks = hosts.map { Double($0 - hosts[0]) + (refit.offset(at: $0) - origin) }
    let start = hosts[0] + Int64(origin.rounded())
    let line = line(of: coordinator) ?? average(clocks: clocks, start: start, raw: raw)
    guard let line else { return nil }
    return raw.indices.map { place in
      let since = Double(start - line.base) + clocks[place]
      let ahead = line.height + line.slope * since
      let shared = Double(start - first.shared.nanoseconds) + clocks[place] + ahead
      return TimingObservation(
        frame: raw[place].frame, shared: first.shared + .nanoseconds(Int64(shared.rounded())),
        jitterBoundNanoseconds: raw[place].jitterBoundNanoseconds,
        pathLimitNanoseconds: raw[place].pathLimitNanoseconds)
    }
  }

  /// The line of the coordinator whose own log is among the files.
  private func line(of coordinator: String) -> CoordinatorLine? {
    guard let log = logs.first(where: { $0.header.peer.description == coordinator }) else {
      return nil
    }
    let clocks = log.chosenClocks
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
    let level = ahead.reduce(0, +) / Double(ahead.count)
    let offset = Double(first.shared.nanoseconds - start)
    return CoordinatorLine(base: start, height: offset + level, slope: 0)
  }
}
