internal import CaptureEngine
internal import Control
internal import HostClock
internal import HostSensors
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Units

/// The keys of a host's status board.
enum HostStatusKey {
  static let report = "recorder.host"
}

// What this host says of itself and of others.
extension DaemonService {
  /// Under these, people must do something about the disk, and about the battery.
  static let leastDiskMinutes = 60.0
  static let leastBatteryPercent = 20.0

  func publishReport() async {
    await clock.setStatus(FleetCoding.encode(ownReport()), forKey: HostStatusKey.report)
  }

  /// What is known of the hosts named, or of all.
  func fleetReport(naming names: [String]) async throws(Refusal) -> FleetReport {
    if !names.isEmpty { _ = try members(named: names) }
    let figures = await clock.diagnostics()
    var fleet = FleetReport(peer: me)
    fleet.group = options.group?.name
    fleet.session = clock.session?.id
    fleet.anchorUnixNs = clock.session?.anchorUnixNanoseconds
    fleet.anchorSharedNs = clock.session?.anchor.nanoseconds
    fleet.coordinator = clock.coordinator
    let others = reports.map { peer, entry in aged(entry.report, peer: peer, heard: entry.heard) }
    let all = ([await ownReport()] + others).sorted {
      ($0.label, $0.peer) < ($1.label, $1.peer)
    }
    fleet.hosts = all.filter { host in
      names.isEmpty || names.contains { Self.matches($0, host.peer, host.label) }
    }
    fleet.refusedPackets = figures.refusals.mapValues { Int(clamping: $0) }
    fleet.wrongKeys = figures.wrongKeyByAddress.sorted { $0.key < $1.key }.map {
      FleetReport.Stranger(address: $0.key, packets: Int(clamping: $0.value))
    }
    return fleet
  }

  private func aged(_ report: HostReport, peer: PeerID, heard: HostInstant) -> HostReport {
    guard connected[peer] == .disconnected else { return report }
    var lost = report
    lost.state = "lost"
    lost.silentSeconds = (hostClock.now() - heard).inSeconds
    return lost
  }

  private func ownReport() async -> HostReport {
    let snapshot = engine?.snapshot
    var report = HostReport(
      peer: me, label: label, software: RecorderDaemon.software,
      state: snapshot?.state.word ?? "idle", sync: await sync())
    if let snapshot { fill(&report, from: snapshot) }
    report.book = currentBook()
    report.timecode = options.timecode
    report.filesASegment = snapshot.flatMap { filesASegment($0) }
    if let plan = report.take, let words = disagreement(with: plan) {
      report.warnings.append("timecode: \(words)")
    }
    fillSensors(&report, bytesPerSecond: snapshot?.bytesPerSecond)
    report.warnings += warnings(of: report, await clock.diagnostics())
    return report
  }

  private func fill(_ report: inout HostReport, from snapshot: CaptureSnapshot) {
    report.take = snapshot.state.plan
    report.input =
      snapshot.input
      ?? options.input.map { pcm in
        HostReport.Input(
          description: "\(pcm) \(options.sampleRate)", pcm: pcm,
          sampleRateHertz: options.sampleRate.hertz,
          channels: options.channels?.count ?? 0, bits: 0)
      }
    report.levelsDbfs = snapshot.levels
    report.clipped = snapshot.clipped
    report.gaps = snapshot.gaps
    report.cardPpm = snapshot.cardExcess?.partsPerMillion
    report.recordedFrames = snapshot.recordedFrames
    report.firstSample = snapshot.firstSample
    report.ringBytes = snapshot.ringBytes
    report.preRollSeconds = snapshot.preRoll?.inSeconds
    report.writers = snapshot.writers.isEmpty ? nil : snapshot.writers
    report.isRealtime = snapshot.isRealtime
    report.warnings = snapshot.warnings + snapshot.advice
    if !snapshot.silentChannels.isEmpty,
      snapshot.silentChannels.count < snapshot.input?.channels ?? 0
    {
      let channels = snapshot.silentChannels.map(String.init).joined(separator: ", ")
      report.warnings.append(
        "channel \(channels): nothing has come for \(Int(SignalWatch.patience.inSeconds)) s and "
          + "more; look at its cable, its power and its gain")
    }
    if let excess = snapshot.cardExcess,
      abs(excess.fraction) > SampleClock.plausibleExcess.fraction
    {
      report.warnings.append(
        "the card runs \(Int(excess.partsPerMillion)) ppm off its nominal rate: that is no "
          + "crystal's error; check its clock source")
    }
  }

  private func fillSensors(_ report: inout HostReport, bytesPerSecond: Int64?) {
    let battery = sensors.battery()
    report.batteryPercent = battery?.percent
    report.batteryMinutes = battery?.minutesLeft
    report.temperatureCelsius = sensors.temperatureCelsius()
    guard let disk = sensors.disk(holding: options.output) else { return }
    report.diskFreeBytes = disk.freeBytes
    let rate =
      bytesPerSecond ?? Int64(options.sampleRate.hertz * 3 * (options.channels?.count ?? 1))
    if options.input != nil, rate > 0 {
      report.diskMinutesLeft = Double(disk.freeBytes) / Double(rate) / 60
    }
  }

  private func sync() async -> HostReport.Sync {
    let before = hostClock.now()
    guard let map = clock.map, let displayed = clock.sharedNow else {
      return HostReport.Sync(role: .unsynced)
    }
    // The displayed time was read somewhere between two readings of the host's clock.
    let now = before + (hostClock.now() - before) / 2
    let isCoordinator = clock.coordinator == me
    var sync = HostReport.Sync(role: isCoordinator ? .coordinator : .follower)
    let shared = map.shared(at: now)
    sync.session = map.session
    sync.jitterBoundNs = map.jitterBoundNanoseconds(at: now)
    sync.pathLimitNs = map.pathLimitNanoseconds
    sync.boundNs = map.boundNanoseconds(at: now)
    sync.hostNs = now.nanoseconds
    sync.sharedNs = shared.nanoseconds
    sync.offsetNs = displayed.nanoseconds - shared.nanoseconds
    if !isCoordinator { sync.stamp = await clock.diagnostics().stamp }
    return sync
  }

  private func warnings(of report: HostReport, _ figures: ClockDiagnostics) -> [String] {
    var warnings: [String] = []
    if let minutes = report.diskMinutesLeft, minutes < Self.leastDiskMinutes {
      warnings.append(
        "disk: \(Int(minutes)) min left at this rate; free some of \(options.output) or choose "
          + "another with --output")
    }
    if let percent = report.batteryPercent, percent < Self.leastBatteryPercent,
      report.batteryMinutes != nil
    {
      warnings.append("battery: \(Int(percent)) % left; plug it in")
    }
    if report.sync.role == .unsynced {
      warnings.append(
        figures.isOnSystemTime
          ? "time: the system's clock is not synchronized; start chrony, ntpd or linuxptp"
          : "time: not in sync yet; wait a moment before a take is started")
    }
    if let ahead = figures.disagreementNanoseconds,
      let bound = figures.disagreementBoundNanoseconds, ahead.magnitude > UInt64(bound)
    {
      warnings.append(
        "time: this host's clock and the others' disagree by \(ahead / 1000) us, and may by "
          + "\(bound / 1000) us; look at what disciplines them (chronyc tracking)")
    }
    let strangers = figures.wrongKeyByAddress.sorted { $0.key < $1.key }
    if !strangers.isEmpty {
      let count = strangers.count
      let shown = strangers.prefix(4).map { "\($0.key) (\($0.value) packets)" }
      warnings.append(
        "\(count) peer\(count == 1 ? "" : "s") with the wrong passphrase or forged packets: "
          + shown.joined(separator: ", ") + (count > 4 ? " and \(count - 4) more" : "")
          + "; give all hosts the same --passphrase-file")
    }
    return warnings
  }
}
