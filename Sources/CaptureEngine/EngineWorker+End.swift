internal import HostClock
internal import Realtime
internal import Recording
internal import Units

// A take's end: at T1, or with the engine's own.
extension EngineWorker {
  /// Ends the take at the frame nearest to T1, or behind the post-roll, once that is in the ring.
  func endIfDue(_ t1: SharedInstant?) {
    guard let t1, let writers, !writers.isEnding, let (map, _) = timeline() else { return }
    let cut = Cut(clock: clock, map: map)
    guard let t1Index = cut.index(nearest: t1),
      let last = cut.index(nearest: t1 + context.input.postRoll)
    else { return }
    let end = max(last, writers.opening.beginning.first)
    guard end <= stream.ring.end else {
      return writers.hold(at: end - shape.rate.frames(in: Self.margin))
    }
    for gap in follower.allGaps() { settle(gap) }
    if context.input.postRoll > .zero { writers.post(.marker("T1"), at: t1Index) }
    self.writers?.end(TakeEnd(index: end, t1: t1, isWhole: true, clock: clock, map: map))
  }

  func finishIfClosed() {
    guard let writers, writers.standing != .running else { return }
    followDraft()
    guard draft == nil else { return }
    self.writers?.report(to: context)
    self.writers = nil
    if writers.standing == .closed { context.endTake() } else { context.abandonTake() }
  }

  /// Shut down in the middle of a take: all that was captured is kept, as a whole file.
  func keepWhatIsThere() {
    guard case .rolling(let plan, let t0, let t1) = context.state else { return }
    if writers == nil { openIfDue(plan, t0: t0, t1: t1 ?? t0) }
    guard writers != nil else { return }
    for gap in follower.allGaps() { settle(gap) }
    feed()
    let end = stream.ring.end
    let map = timeline()?.0
    let last = clock.host(of: end - FrameCount(1)).flatMap { host in map?.shared(at: host) }
    writers?.end(
      TakeEnd(index: end, t1: last ?? t0, isWhole: false, clock: clock, map: map))
    writers?.join()
    writers?.report(to: context)
    followDraft()
    draft?.end()
    draft = nil
    writers = nil
  }
}
