internal import HostClock
internal import Realtime
internal import Recording
internal import Units

// A take's beginning: when it rolls, and with which frame its files begin.
extension EngineWorker {
  /// How much of what came before T0 is kept.
  private var kept: Duration { context.input.keepsPreRoll ? context.input.preRoll : .zero }

  /// The take rolls as soon as the frame nearest to T0 is in the ring.
  func beginIfDue(_ plan: TakePlan, t0: SharedInstant) {
    guard let (map, _) = timeline(),
      Cut(clock: clock, map: map).isTaken(t0, end: stream.ring.end)
    else { return }
    context.begin(plan, t0: t0)
  }

  /// Opens the take's files as soon as its first frame can be told well enough.
  func openIfDue(_ plan: TakePlan, t0: SharedInstant, t1: SharedInstant?) {
    let (oldest, end) = (stream.ring.oldest, stream.ring.end)
    guard let (map, session) = timeline() else { return }
    let cut = Cut(clock: clock, map: map)
    let waits = cut.pays(toWaitFrom: t0, t1: t1, oldest: oldest, end: end)
    guard !waits || draft == nil, let t0Index = cut.index(nearest: t0),
      let begins = cut.beginning(
        at: t0 - kept - (waits ? Cut.slack : .zero), oldest: oldest, end: end,
        spare: shape.rate.frames(in: Self.opening))
    else { return }
    var opening = TakeOpening(
      plan: plan, t0: t0, beginning: begins, t0Index: t0Index, session: session, clock: clock,
      map: map, coordinator: context.inbox.coordinator)
    lastLog = context.clock.now()
    if waits {
      say(cut, begins: t0 - kept)
      draft = TakeDraft(opening: opening, context: context, stream: stream, shape: shape)
      return
    }
    draft?.hold(at: end)
    opening.followsDraft = draft?.isAlive ?? false
    let opened = TakeWriters(opening: opening, context: context, stream: stream, shape: shape)
    note(opening, in: opened)
    writers = opened
  }

  /// Says where the first sample lies as far as that is known of a young stream.
  private func say(_ cut: Cut, begins: SharedInstant) {
    let (oldest, end) = (stream.ring.oldest, stream.ring.end)
    guard let first = cut.beginning(at: begins, oldest: oldest, end: end, spare: .zero) else {
      return
    }
    context.update {
      $0.firstSample = HostReport.FirstSample(
        sharedNs: first.shared.nanoseconds, boundNs: first.boundNanoseconds)
    }
  }

  /// Places for the draft's log; and what is safe elsewhere by now is taken away.
  func followDraft() {
    guard draft != nil else { return }
    if let writers {
      guard draft?.follow(writers) == true else { return }
      // What keeps the take itself from its folder is said of the take.
      if writers.standing == .closed || writers.standing == .running {
        for words in draft?.failures ?? [] { context.warn(words) }
      }
      draft = nil
    } else if context.clock.now() - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = context.clock.now()
      draft?.post(.place(clock, map), at: stream.ring.end)
    }
  }

  private func note(_ opening: TakeOpening, in opened: TakeWriters) {
    let begins = opening.beginning
    let missing = begins.first > opening.t0Index ? begins.shared - opening.t0 : nil
    context.update {
      $0.firstSample = HostReport.FirstSample(
        sharedNs: begins.shared.nanoseconds, boundNs: begins.boundNanoseconds)
      $0.recordedFrames = 0
      $0.headMissing = missing
      $0.tailExcess = nil
    }
    for gap in follower.ledger.ended where gap.end > begins.first {
      opened.post(.gap(gap), at: gap.end)
    }
    if kept > .zero, missing == nil { opened.post(.marker("T0"), at: opening.t0Index) }
    guard let missing else { return }
    let seconds = Double(missing.wholeNanoseconds / 1_000_000) / 1000
    let text = "begins \(seconds) s after T0: the ring did not reach back"
    opened.post(.marker(text), at: begins.first)
    context.warn("the take \(text)")
  }
}
