internal import Control
internal import Recording
internal import Units

/// What the facts mean, and what to do about them.
struct DoctorRules {
  /// The real-time priority that the capture thread asks for.
  static let wantedPriority: UInt64 = 50
  /// What is locked: the newest part of a ring, of 64 channels at 96 kHz.
  static let wantedLocked: UInt64 = 64 << 20
  static let slowMilliseconds = 200.0
  /// The ring has room for 10 s.
  static let tooSlowMilliseconds = 2000.0

  let facts: DoctorFacts

  var findings: [DoctorFinding] {
    [daemon, devices, priority, memory] + cards + [run, disk, room].compactMap(\.self) + wireless
      + [governor, sleep, clock].compactMap(\.self) + network + alerts
  }

  private var daemon: DoctorFinding {
    guard facts.fleet != nil else {
      return DoctorFinding(
        "daemon", .advice, facts.noDaemon ?? "none answers", fix: "recorder daemon --input CARD")
    }
    return DoctorFinding("daemon", .good, "it answers")
  }

  private var devices: DoctorFinding {
    guard let first = facts.forbiddenDevices.first else {
      return DoctorFinding("access", .good, "\(facts.user) may open the cards that there are")
    }
    let more = facts.forbiddenDevices.count - 1
    return DoctorFinding(
      "access", .problem,
      "\(facts.user) may not open \(first)" + (more > 0 ? " and \(more) more" : ""),
      fix: "sudo usermod -aG audio \(facts.user)   (then log out and in again)")
  }

  private var priority: DoctorFinding {
    guard !facts.isRoot, let limit = facts.realtimePriority, limit < Self.wantedPriority else {
      return DoctorFinding("real-time", .good, "the capture thread may have its priority")
    }
    return DoctorFinding(
      "real-time", .problem,
      "no real-time priority (limit \(limit), wanted \(Self.wantedPriority)): a busy machine may "
        + "lose frames",
      fix: "echo '\(facts.user) - rtprio 95' | sudo tee /etc/security/limits.d/recorder.conf   "
        + "(then log out and in again)")
  }

  private var memory: DoctorFinding {
    guard !facts.isRoot, let limit = facts.lockedBytes, limit < Self.wantedLocked else {
      return DoctorFinding("memory", .good, "the ring can be locked in memory")
    }
    return DoctorFinding(
      "memory", .advice, "only \(limit >> 10) KiB of memory may be locked",
      fix: "echo '\(facts.user) - memlock 262144' | sudo tee -a "
        + "/etc/security/limits.d/recorder.conf   (then log out and in again)")
  }

  private var cards: [DoctorFinding] {
    guard !facts.cards.isEmpty else {
      let isElsewhere = facts.own?.input != nil || facts.cardRun?.failure == nil
      return [
        DoctorFinding(
          "cards", facts.cardRun != nil && isElsewhere ? .good : .advice,
          "no sound card with an input is plugged in", fix: "recorder cards")
      ]
    }
    return facts.cards.map { card in
      guard let holder = card.holder else {
        return DoctorFinding("cards", .good, "\(card.name) is free")
      }
      let isOurs = holder.contains("recorder")
      return DoctorFinding(
        "cards", isOurs ? .good : .advice, "\(card.name) is held by \(holder)",
        fix: isOurs
          ? nil : "nothing, where it gives the card up when asked; else end that program")
    }
  }

  private var run: DoctorFinding? {
    guard let run = facts.cardRun else { return nil }
    if let failure = run.failure {
      return DoctorFinding("rate", .problem, failure, fix: "recorder cards")
    }
    let span = Decimals.text(run.seconds, places: 0)
    guard let ppm = run.ppm else {
      return DoctorFinding(
        "rate", .unknown, "\(run.name): its rate could not be told within \(span) s")
    }
    let text =
      "\(run.name): \(Decimals.text(ppm, places: 1)) ppm off its rate over \(span) s, "
      + "\(run.gaps) gap\(run.gaps == 1 ? "" : "s")"
    if run.gaps > 0 {
      return DoctorFinding(
        "rate", .problem, text, fix: "another USB port, no hub, fewer programs; then again")
    }
    let isFar = abs(ppm) > SampleClock.plausibleExcess.partsPerMillion
    return DoctorFinding(
      "rate", isFar ? .problem : .good, text,
      fix: isFar ? "recorder daemon --rate 44100   (or another clock source on the card)" : nil)
  }

  private var disk: DoctorFinding? {
    guard let writes = facts.writes else { return nil }
    let speed = Decimals.text(writes.bytesPerSecond / 1e6, places: 0)
    let text =
      "\(facts.output): \(speed) MB/s; writes of 1 MiB: \(writes.words); the slowest "
      + "\(Decimals.text(writes.slowestMilliseconds, places: 0)) ms"
    let grade: DoctorFinding.Grade =
      writes.slowestMilliseconds >= Self.tooSlowMilliseconds
      ? .problem : writes.slowestMilliseconds >= Self.slowMilliseconds ? .advice : .good
    return DoctorFinding(
      "disk", grade, text,
      fix: grade == .good ? nil : "recorder daemon --output DIR   (a faster one)")
  }

  private var room: DoctorFinding? {
    guard let minutes = facts.minutesLeft else { return nil }
    let limits = HealthLimits()
    let grade: DoctorFinding.Grade =
      minutes < limits.diskCriticalMinutes.raise
      ? .problem : minutes < limits.diskMinutes.raise ? .advice : .good
    return DoctorFinding(
      "room", grade, "\(DurationText.short(.seconds(minutes * 60))) left at this rate",
      fix: grade == .good ? nil : "df -h \(ShellWord.quoted(facts.output))")
  }

  private var wireless: [DoctorFinding] {
    facts.wireless.map { interface in
      switch interface.savesPower {
      case true?:
        DoctorFinding(
          "Wi-Fi", .problem,
          "\(interface.name) saves power: packets wait up to 100 ms, and so does time",
          fix: "sudo iw dev \(interface.name) set power_save off")
      case false?: DoctorFinding("Wi-Fi", .good, "\(interface.name) does not save power")
      case nil:
        DoctorFinding(
          "Wi-Fi", .unknown, "\(interface.name) does not say whether it saves power",
          fix: "iw dev \(interface.name) get power_save")
      }
    }
  }

  private var governor: DoctorFinding? {
    guard !facts.governors.isEmpty else { return nil }
    let words = facts.governors.joined(separator: ", ")
    let isSlow = facts.governors.contains { ["powersave", "conservative"].contains($0) }
    return DoctorFinding(
      "processor", isSlow ? .advice : .good, "frequencies are chosen by: \(words)",
      fix: isSlow ? "sudo cpupower frequency-set -g performance" : nil)
  }

  private var sleep: DoctorFinding? {
    guard let canStay = facts.canStayAwake else { return nil }
    return canStay
      ? DoctorFinding("sleep", .good, "the host is kept awake while it is armed")
      : DoctorFinding(
        "sleep", .advice, "no logind: nothing keeps this host from being put to sleep",
        fix: "sudo systemctl mask sleep.target suspend.target")
  }

  private var clock: DoctorFinding? {
    guard let clock = facts.wallClock else { return nil }
    let slew = clock.slewPPM.map {
      "; it is bent by \(Decimals.text($0, places: 1)) ppm, which disturbs nothing here"
    }
    return clock.isDisciplined
      ? DoctorFinding("clock", .good, "the wall clock is kept right" + (slew ?? ""))
      : DoctorFinding(
        "clock", .advice,
        "nothing keeps the wall clock right: dates and times of day may be off" + (slew ?? ""),
        fix: "sudo systemctl enable --now systemd-timesyncd")
  }
}

// The fleet, as the daemon knows it.
extension DoctorRules {
  private var network: [DoctorFinding] {
    guard let fleet = facts.fleet else { return [] }
    let present = fleet.hosts.filter { !$0.isGone }
    guard fleet.hosts.count > 1 else {
      return [
        DoctorFinding(
          "network", fleet.group == nil ? .advice : .unknown,
          fleet.group == nil
            ? "no group: this machine alone" : "no other host of the group is heard",
          fix: fleet.group == nil ? "recorder group new NAME" : nil)
      ]
    }
    var found: [DoctorFinding] = []
    for host in present where host.isHeardByMulticast == false {
      found.append(
        DoctorFinding(
          "network", .advice, "\(host.label) hears nobody by multicast, but by unicast",
          fix: "recorder daemon --peers HOST:PORT   (hosts that come later are found so)"))
    }
    for host in present where !(host.unlinked ?? []).isEmpty {
      found.append(
        DoctorFinding(
          "network", .problem,
          "\(host.label) has no connection to \((host.unlinked ?? []).joined(separator: ", "))",
          fix: "let TCP through between them; with ufw: sudo ufw allow from NETWORK"))
    }
    let deaf = present.flatMap { host in
      (host.alerts ?? []).filter { $0.kind == .hostLost }.map { (host.label, $0) }
    }
    for (label, alert) in deaf {
      found.append(
        DoctorFinding("network", .problem, "\(label): \(alert.text)", fix: alert.next))
    }
    return found.isEmpty
      ? [DoctorFinding("network", .good, "all \(present.count) hosts reach one another")] : found
  }

  /// What the hosts say of themselves, this one's versions and twins among it.
  private var alerts: [DoctorFinding] {
    let hosts = facts.fleet?.hosts ?? []
    let found = hosts.flatMap { host in
      (host.alerts ?? []).filter { ![.hostLost, .disk, .privilege].contains($0.kind) }.map {
        alert in
        DoctorFinding(
          alert.kind.rawValue.replacing("_", with: " "),
          alert.severity == .critical ? .problem : .advice, "\(host.label): \(alert.text)",
          fix: alert.next.isEmpty ? nil : alert.next)
      }
    }
    let softwares = Set(hosts.map(\.software))
    guard hosts.count > 1, softwares.count == 1, let software = softwares.first else {
      return found
    }
    return [DoctorFinding("versions", .good, "all hosts run \(software)")] + found
  }
}
