internal import ALSA
internal import CaptureEngine
internal import Control
internal import Glibc
internal import HostClock
internal import HostSensors
internal import Recording
internal import Systemd
internal import Units

/// Finds the facts out, on this host.
struct DoctorProbes {
  static let listening = Duration.seconds(5)

  let client: ControlClient
  /// The card to listen to; nothing: the daemon's.
  let input: String?
  /// Where takes go; nothing: as the daemon says.
  let output: String
  let isQuick: Bool
  let sign: (String) -> Void

  func facts() -> DoctorFacts {
    var facts = DoctorFacts()
    askDaemon(&facts)
    fillSettings(&facts)
    facts.output = facts.own?.output ?? output
    facts.minutesLeft = facts.own?.diskMinutesLeft
    let isBusy = facts.own.map { $0.state != "idle" } ?? false
    let before = Self.readClocks()
    if !isQuick, !isBusy {
      sign("writing to \(facts.output)…")
      facts.writes = WriteTimes.measure(in: facts.output)
    }
    if isBusy { facts.cardRun = Self.runOfDaemon(facts.own) }
    if let card = input ?? facts.own?.input?.pcm, !isBusy, !isQuick {
      sign("listening to \(card) for \(DurationText.short(Self.listening))…")
      facts.cardRun = Self.listen(to: card)
    }
    if !isQuick, !isBusy, facts.cardRun == nil { usleep(1_000_000) }
    facts.wallClock = Self.wallClock(since: before)
    sign("")
    return facts
  }

  private func askDaemon(_ facts: inout DoctorFacts) {
    do throws(ControlError) {
      if case .fleet(let fleet) = try client.ask(ControlRequest(.status), patience: .seconds(5)) {
        facts.fleet = fleet
      }
    } catch {
      facts.noDaemon = error.description
    }
  }

  private func fillSettings(_ facts: inout DoctorFacts) {
    let settings = HostSettings()
    facts.isRoot = settings.isRoot
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name {
      facts.user = String(cString: name)
    }
    facts.forbiddenDevices = settings.captureDevices().filter { !$0.isAllowed }.map(\.path)
    facts.realtimePriority = settings.limit(.realtimePriority)
    facts.lockedBytes = settings.limit(.lockedMemory)
    switch SleepInhibitor.take(reason: "recorder doctor") {
    case .taken: facts.canStayAwake = true
    case .noManager, .refused: facts.canStayAwake = false
    }
    facts.governors = settings.governors()
    facts.wireless = settings.wirelessInterfaces().map {
      DoctorFacts.Wireless(name: $0, savesPower: settings.savesPower($0))
    }
    facts.cards = SoundCards.all().flatMap { card in
      card.devices.map { DoctorFacts.Card(name: card.pcm($0), holder: $0.holder) }
    }
  }

  /// A card that is open is being measured all the time.
  private static func runOfDaemon(_ own: HostReport?) -> DoctorFacts.CardRun? {
    guard let own, let input = own.input else { return nil }
    return DoctorFacts.CardRun(
      name: input.pcm, seconds: listening.inSeconds, ppm: own.cardPpm, gaps: own.gaps)
  }

  /// Opens the card as a recording does, writes nothing, and closes it again.
  private static func listen(to card: String) -> DoctorFacts.CardRun {
    var run = DoctorFacts.CardRun(name: card, seconds: listening.inSeconds, gaps: 0)
    let engine = CaptureEngine(
      input: CaptureInput(
        name: card, rate: SampleRate(hertz: 48_000), channels: nil, preRoll: .zero,
        leastRoom: .zero),
      output: "/tmp",
      host: CaptureHost(
        peer: PeerID(high: 0, low: 0), label: "doctor", software: "doctor", bootID: ""),
      clockMap: { nil }, session: { nil }, events: { _ in })
    var generator = SystemRandomNumberGenerator()
    do throws(CaptureError) {
      _ = try engine.arm(TakePlan(id: TakeID(from: &generator), name: "doctor", number: 0))
    } catch {
      run.failure = error.description
      return run
    }
    usleep(useconds_t(clamping: listening.wholeNanoseconds / 1000))
    let snapshot = engine.snapshot
    engine.shutDown()
    run.ppm = snapshot.cardExcess?.partsPerMillion
    run.gaps = snapshot.gaps
    return run
  }

  private static func readClocks() -> (raw: Int64, bent: Int64) {
    (read(CLOCK_MONOTONIC_RAW), read(CLOCK_MONOTONIC))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private static func wallClock(
    since before: (raw: Int64, bent: Int64)
  ) -> DoctorFacts.WallClock? {
    guard let discipline = Discipline.current() else { return nil }
    let now = readClocks()
    let span = Double(now.raw - before.raw)
    let slew = span > 5e8 ? (Double(now.bent - before.bent) - span) / span * 1e6 : nil
    return DoctorFacts.WallClock(isDisciplined: discipline.isSynchronized, slewPPM: slew)
  }
}
