internal import Units

/// What each figure of a host means.
struct HealthRules: Sendable {
  let limits: HealthLimits

  /// Everything that a reading says, well or not, but for what is counted.
  func findings(_ reading: HealthReading) -> [HealthFinding] {
    peers(reading) + versions(reading) + signal(reading) + supplies(reading) + time(reading)
      + writing(reading) + standing(reading)
  }

  private func peers(_ reading: HealthReading) -> [HealthFinding] {
    // One that its user has ended says nothing of the network.
    let expected = reading.peers.filter { !$0.hasLeft }
    let isAlone = expected.count > 1 && expected.allSatisfy(\.isLost)
    return reading.peers.map { peer in
      let isMissed = peer.isLost && !peer.hasLeft
      return HealthFinding(
        .hostLost, peer.id.description, isMissed ? (peer.wasBusy ? .critical : .warning) : nil,
        "\(peer.label) is not heard any more"
          + (peer.wasBusy ? "; what it records goes on until it is stopped there" : ""),
        isAlone
          ? "nobody is heard: look at this host's own network"
          : "look at its power and its network")
    }
  }

  private func versions(_ reading: HealthReading) -> [HealthFinding] {
    reading.peers.filter { !$0.isLost && !$0.software.isEmpty }.map { peer in
      HealthFinding(
        .version, peer.id.description, peer.software == reading.software ? nil : .warning,
        "\(peer.label) runs \(peer.software), this host \(reading.software)",
        "install the same on all hosts")
    }
  }

  private func signal(_ reading: HealthReading) -> [HealthFinding] {
    let silent = reading.silentSeconds
    let isAll = silent.allSatisfy { $0 >= limits.silentSeconds }
    let patience = isAll ? limits.allSilentSeconds : limits.silentSeconds
    let card = HealthFinding(
      .cardLost, "", reading.isCardGone ? .critical : nil,
      "the card is gone" + (reading.isRolling ? "; silence stands for it until it is back" : ""),
      "plug it in again: the take goes on by itself")
    return [card]
      + silent.enumerated().map { place, seconds in
        HealthFinding(
          .silence, "channel \(place + 1)", seconds >= patience ? .warning : nil,
          "channel \(place + 1): nothing has come for \(Int(patience)) s and more",
          "look at its cable, its power and its gain"
        ).lasting(.zero, .seconds(2))
      }
  }

  private func supplies(_ reading: HealthReading) -> [HealthFinding] {
    reading.disks.map(disk) + reading.silentDisks.map { silent($0, reading) }
      + [battery(reading), heat(reading)].compactMap(\.self)
  }

  private func disk(_ disk: HealthReading.Disk) -> HealthFinding {
    var finding = HealthFinding(
      .disk, disk.folder, nil, "disk: \(Int(disk.minutesLeft)) min left at this rate",
      "free some of \(disk.folder), or choose another folder with --output")
    finding.measure(
      disk.minutesLeft, floor: limits.diskMinutes, critical: limits.diskCriticalMinutes)
    return finding
  }

  private func silent(
    _ disk: HealthReading.SilentDisk, _ reading: HealthReading
  ) -> HealthFinding {
    let isUrgent = disk.hasTakes && reading.isBusy
    return HealthFinding(
      .diskSilent, disk.folder, isUrgent ? .critical : .warning,
      "the disk of \(disk.folder) does not answer for \(Self.span(disk.seconds))",
      (disk.hasTakes
        ? (reading.isBusy ? "what rolls waits in memory, for 10 s; " : "")
        : "a take would not be gone on with after a crash; ")
        + "look at its cable and its power, or at the server of a network folder")
  }

  private func battery(_ reading: HealthReading) -> HealthFinding? {
    guard let percent = reading.batteryPercent else { return nil }
    let left = reading.batteryMinutes.map { ", \(Int($0)) min" } ?? ""
    var finding = HealthFinding(
      .battery, "", nil, "battery: \(Int(percent)) %\(left) left", "plug it in")
    finding.measure(
      reading.isDischarging ? percent : 100, floor: limits.batteryPercent,
      critical: limits.batteryCriticalPercent)
    return finding
  }

  private func heat(_ reading: HealthReading) -> HealthFinding? {
    guard let celsius = reading.celsius else { return nil }
    var finding = HealthFinding(
      .temperature, "", nil, "temperature: \(Int(celsius)) °C",
      "give it shade and air: a host that is too hot slows down, then stops"
    ).lasting(limits.holds, limits.holds)
    finding.measure(celsius, ceiling: limits.celsius, critical: limits.criticalCelsius)
    return finding
  }

  private func time(_ reading: HealthReading) -> [HealthFinding] {
    [presence(of: reading), bound(reading), clocks(reading), rate(reading)].compactMap(\.self)
  }

  /// Whether there is shared time at all.
  private func presence(of reading: HealthReading) -> HealthFinding {
    let isLate = !reading.isSynced && (reading.isBusy || reading.uptime > limits.syncGrace)
    return HealthFinding(
      .unsynced, "", isLate ? (reading.isRolling ? .critical : .warning) : nil,
      reading.isOnSystemTime
        ? "time: the system's clock is not synchronized" : "time: not in sync yet",
      reading.isOnSystemTime
        ? "start chrony, ntpd or linuxptp" : "wait a moment before a take is started")
  }

  private func bound(_ reading: HealthReading) -> HealthFinding? {
    guard let bound = reading.boundNanoseconds, reading.isSynced else { return nil }
    var finding = HealthFinding(
      .syncBound, "", nil,
      "time: known to ±\(Self.time(bound)) only, more than ±"
        + Self.time(Int64(limits.syncBoundNanoseconds.raise)),
      "look at its network; on Wi-Fi turn power save off (recorder doctor)"
    ).lasting(limits.holds, limits.holds)
    finding.measure(Double(bound), ceiling: limits.syncBoundNanoseconds)
    return finding
  }

  private func clocks(_ reading: HealthReading) -> HealthFinding? {
    guard let ahead = reading.disagreementNanoseconds,
      let bound = reading.disagreementBoundNanoseconds
    else { return nil }
    return HealthFinding(
      .clockDisagreement, "", ahead.magnitude > bound.magnitude ? .warning : nil,
      "time: this host's clock and the others' disagree by \(ahead / 1000) us, and may by "
        + "\(bound / 1000) us", "look at what disciplines them (chronyc tracking)"
    ).lasting(.zero, limits.holds)
  }

  private func rate(_ reading: HealthReading) -> HealthFinding? {
    guard let excess = reading.cardPPM else { return nil }
    var finding = HealthFinding(
      .rate, "", nil,
      "the card runs \(Int(excess.rounded())) ppm off its nominal rate: that is no crystal's "
        + "error", "check its clock source, or try another rate"
    ).lasting(limits.holds, limits.holds)
    finding.measure(abs(excess), ceiling: limits.cardPPM)
    return finding
  }

  private func writing(_ reading: HealthReading) -> [HealthFinding] {
    reading.writers.flatMap { writer in
      var stall = HealthFinding(
        .writeStall, writer.folder, nil,
        "the disk of \(writer.folder) keeps the recording waiting: it is "
          + "\(Self.tenths(writer.behindSeconds)) s behind, and there is room for 10 s",
        "end what else writes to that disk; for the next take choose a faster one")
      stall.measure(
        writer.behindSeconds, ceiling: limits.behindSeconds,
        critical: limits.criticalBehindSeconds)
      let failed = HealthFinding(
        .writeFailed, writer.folder, reading.isRolling && writer.failure != nil ? .critical : nil,
        "nothing is written to \(writer.folder) any more: \(writer.failure ?? "")",
        "look at that disk; what it has is made whole by recorder recover")
      return [stall.lasting(.zero, .seconds(2)), failed]
    }
  }

  private func standing(_ reading: HealthReading) -> [HealthFinding] {
    let isFresh = reading.hadCrashed && reading.uptime < limits.restartSpan
    return [
      HealthFinding(
        .restarted, "", isFresh ? .warning : nil,
        "the daemon had ended without being told to, and runs again",
        "its log says more: journalctl --user -u recorder"),
      HealthFinding(
        .timecode, "", reading.timecode == nil ? nil : .warning,
        "timecode: " + (reading.timecode ?? ""), ""),
    ]
      + reading.advice.map { HealthFinding(.privilege, $0, .warning, $0, "") }
      + reading.strangers.map { address, packets in
        HealthFinding(
          .wrongKey, address, packets > 0 ? .warning : nil,
          "\(address): wrong passphrase or forged packets (\(packets))",
          "compare recorder group show on all hosts: the fingerprints must be alike")
      }
  }

  static func time(_ nanoseconds: Int64) -> String {
    nanoseconds < 10_000_000 ? "\(nanoseconds / 1000) us" : "\(nanoseconds / 1_000_000) ms"
  }

  private static func span(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9))
    return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
  }

  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e6) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
