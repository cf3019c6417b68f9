internal import CaptureEngine
internal import Control
internal import Glibc
internal import HostClock
internal import HostSensors
internal import PeerClock
internal import Recording
internal import Units

// What is wrong, here and elsewhere, and who is told.
extension DaemonService {
  /// Events as they travel between daemons.
  static let eventType = "recorder.events"
  /// The most events of one message.
  static let mostEventsTold = 32
  /// The longest words of another host's event, in bytes.
  static let longestEventBytes = 2048

  /// Measures, and tells all hosts what has changed.
  func watchHealth() async {
    let figures = await clock.diagnostics()
    let reading = reading(figures)
    measured = reading
    let changes = health.take(reading, at: hostClock.now())
    await record(changes.map { event($0.phase, known($0)) })
  }

  /// A host that was forgotten is not heard again.
  private func known(_ change: HealthWatch.Change) -> Alert {
    let isKnown = connected.keys.contains { $0.description == change.alert.subject }
    guard change.alert.kind == .hostLost, change.phase == .cleared, !isKnown else {
      return change.alert
    }
    return change.alert.forgotten
  }

  /// Into the log of the take that rolls: whoever has its files knows what went wrong beside them.
  private func log(_ event: FleetEvent) {
    guard event.alert.kind != .take else { return }
    engine?.log(
      .alert(TimingLogAlert(event.alert, phase: event.phase.rawValue, at: hostClock.now())))
  }

  /// What holds already when a take begins.
  func logWhatHolds() {
    for alert in health.active {
      engine?.log(.alert(TimingLogAlert(alert, phase: TimingLogAlert.holds, at: hostClock.now())))
    }
  }

  /// Something happened, and that is all.
  func note(_ alert: Alert) async { await record([event(.noted, alert)]) }

  func note(
    _ kind: AlertKind, _ severity: Alert.Severity, _ text: String, next: String = ""
  ) async {
    await note(Alert(kind, severity: severity, text: text, next: next))
  }

  private func event(_ phase: FleetEvent.Phase, _ alert: Alert) -> FleetEvent {
    let plan = engine?.snapshot.state.plan
    return FleetEvent(
      phase, alert, peer: me, label: label, unixNs: civilNow(),
      take: plan.map { "\($0.name) T\($0.number)" })
  }

  /// The session's civil time, which is the same on all hosts; before there is one, this host's.
  func civilNow() -> Int64 {
    if let session = clock.session, let now = clock.sharedNow {
      return session.unixNanoseconds(at: now)
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  /// Into this host's log, and to all others.
  private func record(_ events: [FleetEvent]) async {
    guard !events.isEmpty else { return }
    for event in events {
      keep(event)
      log(event)
    }
    for begin in stride(from: 0, to: events.count, by: Self.mostEventsTold) {
      let part = Array(events[begin..<min(begin + Self.mostEventsTold, events.count)])
      let command = Command(
        type: Self.eventType, payload: FleetCoding.encode(part),
        expires: clock.sharedNow.map { $0 + .seconds(3600) })
      do {
        try await clock.broadcast(command)
      } catch {
        say("could not tell the others: \(error)")
      }
    }
  }

  /// Another host's events, where they are what they should be.
  func hear(_ payload: [UInt8], from sender: PeerID) {
    guard let events = FleetCoding.decode([FleetEvent].self, from: payload) else { return }
    for event in events.prefix(Self.mostEventsTold) where event.peer == sender {
      let words = [event.label, event.alert.subject, event.alert.text, event.alert.next]
      guard words.allSatisfy({ $0.utf8.count <= Self.longestEventBytes }) else { continue }
      if event.alert.kind == .host, event.phase == .noted, event.alert.subject == Self.leaving {
        hasLeft.insert(sender)
      }
      keep(event)
    }
  }

  /// The subject of the event that tells of a quiet end.
  static let leaving = "leaving"

  private func keep(_ event: FleetEvent) {
    guard let kept = eventBook.add(event) else { return }
    eventFile.append(kept, of: eventBook)
    // What the engine and the take say of themselves stands in the log already.
    if event.peer == me, [.take, .capture, .host].contains(event.alert.kind) { return }
    let text = event.phase == .cleared ? event.alert.overText : event.alert.sentence
    say((event.peer == me ? "" : "\(event.label): ") + text)
  }
}

// Figures.
extension DaemonService {
  private func reading(_ figures: ClockDiagnostics) -> HealthReading {
    var reading = HealthReading()
    reading.software = RecorderDaemon.software
    if let engine { fill(&reading, from: engine.snapshot) }
    fillSupplies(&reading)
    fillTime(&reading, figures)
    reading.uptime = hostClock.now() - startedAt
    reading.hadCrashed = leftRun != nil
    reading.strangers = figures.wrongKeyByAddress
    for (peer, state) in connected { reading.peers.append(self.reading(of: peer, state)) }
    return reading
  }

  private func fill(_ reading: inout HealthReading, from snapshot: CaptureSnapshot) {
    reading.isBusy = snapshot.state != .idle
    if case .rolling = snapshot.state { reading.isRolling = true }
    reading.isCardGone = snapshot.isCardGone
    reading.gaps = snapshot.gaps
    reading.lastGap = lastGap
    reading.clipped = snapshot.levels?.clipped ?? []
    reading.silentSeconds = snapshot.levels?.silentSeconds ?? []
    reading.cardPPM = snapshot.cardExcess?.partsPerMillion
    reading.writers = snapshot.writers
    reading.advice = snapshot.advice
    reading.timecode = snapshot.state.plan.flatMap { disagreement(with: $0) }
  }

  private func fillSupplies(_ reading: inout HealthReading) {
    let battery = disks.battery
    reading.batteryPercent = battery?.percent
    reading.batteryMinutes = battery?.minutesLeft
    reading.isDischarging = battery?.isDischarging ?? false
    reading.celsius = disks.celsius
    fillDisks(&reading)
  }

  private func fillDisks(_ reading: inout HealthReading) {
    // A host without a card writes nothing there.
    for folder in disks.outputs where options.input != nil {
      if let silence = folder.silence {
        reading.silentDisks.append(
          .init(folder: folder.folder, seconds: silence.inSeconds, hasTakes: true))
      }
      // What it said last holds until it says otherwise.
      guard let disk = folder.disk, let minutes = minutesLeft(on: disk) else { continue }
      reading.disks.append(.init(folder: folder.folder, minutesLeft: minutes))
    }
    guard let silence = disks.stateSilence else { return }
    reading.silentDisks.append(
      .init(folder: options.stateDirectory, seconds: silence.inSeconds, hasTakes: false))
  }

  /// How long the disk lasts at this rate; nothing for a host without a card.
  func minutesLeft(on disk: DiskReading) -> Double? {
    guard options.input != nil else { return nil }
    let rate =
      engine?.snapshot.bytesPerSecond
      ?? Int64(options.sampleRate.hertz * 3 * (options.channels?.count ?? 1))
    return rate > 0 ? Double(disk.freeBytes) / Double(rate) / 60 : nil
  }

  private func fillTime(_ reading: inout HealthReading, _ figures: ClockDiagnostics) {
    reading.isOnSystemTime = figures.isOnSystemTime
    reading.isSynced = clock.map != nil
    if clock.coordinator != me {
      reading.boundNanoseconds = clock.map?.boundNanoseconds(at: hostClock.now())
    }
    reading.disagreementNanoseconds = figures.disagreementNanoseconds
    reading.disagreementBoundNanoseconds = figures.disagreementBoundNanoseconds
  }

  private func reading(
    of peer: PeerID, _ state: ConnectionEvent.State
  ) -> HealthReading.Peer {
    let report = reports[peer]?.report
    return HealthReading.Peer(
      id: peer, label: name(of: peer), software: report?.software ?? "",
      isLost: state == .disconnected, wasBusy: report.map { $0.state != "idle" } ?? false,
      hasLeft: hasLeft.contains(peer))
  }
}
