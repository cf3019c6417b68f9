internal import Control
internal import PeerClock
internal import Units

// How this host's clock does.
extension DaemonService {
  /// The figures of one moment: all hold for the reading that they name.
  func clockReport() async -> ClockReport {
    let figures = await clock.diagnostics()
    var report = ClockReport(peer: me, role: Self.role(of: figures))
    report.coordinator = figures.coordinator
    report.coordinatorLabel = figures.coordinator.map { $0 == me ? label : name(of: $0) }
    report.session = clock.session.map { session in
      SessionReport(session, now: clock.pair?.shared)
    }
    report.hostNs = figures.hostNanoseconds
    report.jitterBoundNs = figures.jitterBoundNanoseconds
    report.pathLimitNs = figures.pathLimitNanoseconds
    if let jitter = report.jitterBoundNs, let path = report.pathLimitNs {
      report.boundNs = jitter + path
    }
    report.skewPpm = figures.skewPartsPerMillion
    report.timeSource = figures.isOnSystemTime ? "system" : "peers"
    report.disagreementNs = figures.disagreementNanoseconds
    report.disagreementBoundNs = figures.disagreementBoundNanoseconds
    guard !figures.isCoordinator else { return report }
    report.offsetNs = figures.offsetNanoseconds
    report.offsetBoundNs = figures.offsetBoundNanoseconds
    report.stamp = figures.stamp
    report.floorRoundTripNs = figures.floorRoundTripNanoseconds
    report.exchanges = figures.exchanges
    report.loss = figures.loss
    report.path = figures.path
    report.interface = figures.interface
    report.paths = figures.paths
    if let now = figures.hostNanoseconds, let last = figures.lastExchangeNanoseconds {
      report.lastExchangeSecondsAgo = Duration.nanoseconds(now - last).inSeconds
    }
    return report
  }

  private static func role(of figures: ClockDiagnostics) -> ClockReport.Role {
    // Without a map there is no bound: nothing to hold over either.
    if figures.jitterBoundNanoseconds == nil { return .unsynced }
    if figures.isCoordinator { return .coordinator }
    // Its own clock is disciplined, whether or not it hears anybody.
    if figures.isOnSystemTime { return .follower }
    return figures.coordinator == nil ? .holdover : .follower
  }
}
