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
  /// The most alerts of a report, the worst first.
  static let mostAlertsTold = 16
  /// The most other warnings of a report, the newest.
  static let mostWarningsTold = 8

  func publishReport() async {
    var report = await ownReport()
    var bytes = FleetCoding.encode(report)
    // Sixty-four channels, each with something to say, are more than a status holds.
    while bytes.count > Self.longestReport, report.alerts?.isEmpty == false {
      report.alerts?.removeLast()
      report.warnings = []
      bytes = FleetCoding.encode(report)
    }
    await clock.setStatus(bytes, forKey: HostStatusKey.report)
  }

  /// The longest status, in bytes: 16 KiB.
  static let longestReport = 16_384

  /// What is known of the hosts named, or of all.
  func fleetReport(naming names: [String]) async throws(Refusal) -> FleetReport {
    let named = names.isEmpty ? nil : Set(try members(named: names).map(\.peer))
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
    fleet.hosts = all.filter { named?.contains($0.peer) ?? true }.map(\.inWords)
    fleet.refusedPackets = figures.refusals.mapValues { Int(clamping: $0) }
    fleet.wrongKeys = figures.wrongKeyByAddress.sorted { $0.key < $1.key }.map {
      FleetReport.Stranger(address: $0.key, packets: Int(clamping: $0.value))
    }
    return fleet
  }

  private func aged(_ report: HostReport, peer: PeerID, heard: HostInstant) -> HostReport {
    guard connected[peer] == .disconnected else { return report }
    var lost = report
    lost.state = hasLeft.contains(peer) ? "ended" : "lost"
    // What it said of itself held when it was heard.
    lost.alerts = nil
    lost.warnings = []
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
    fillSensors(&report)
    let figures = await clock.diagnostics()
    report.output = options.output
    report.forgotten = forgotten.entries.isEmpty ? nil : forgotten.entries
    report.formerLabels = formerLabels.isEmpty ? nil : Array(formerLabels.prefix(4))
    report.isHeardByMulticast = figures.isMulticastHeard
    report.unlinked = figures.unlinked.isEmpty ? nil : figures.unlinked.prefix(16).map(name(of:))
    report.alerts = Array(health.active.prefix(Self.mostAlertsTold))
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
    report.warnings = snapshot.warnings.suffix(Self.mostWarningsTold)
  }

  private func fillSensors(_ report: inout HostReport) {
    let battery = disks.battery
    report.batteryPercent = battery?.percent
    report.batteryMinutes = battery?.minutesLeft
    report.temperatureCelsius = disks.celsius
    guard let folder = disks.outputs.first else { return }
    report.diskSilentSeconds =
      options.input == nil ? nil : folder.silence.map { $0.inSeconds }
    guard report.diskSilentSeconds == nil, let disk = folder.disk else { return }
    report.diskFreeBytes = disk.freeBytes
    let told = measured?.disks.first { $0.folder == options.output }
    report.diskMinutesLeft = told?.minutesLeft ?? minutesLeft(on: disk)
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
}
