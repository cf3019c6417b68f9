internal import HostClock
internal import Realtime
internal import Recording
internal import Units

// What stands in the timing log beside gaps.
extension EngineWorker {
  /// What the log gets: what happened elsewhere, and once a second where the newest frame lies.
  func feed() {
    guard let writers else { return }
    let end = stream.ring.end
    for entry in context.takeLogEntries() { writers.post(.entry(entry), at: end) }
    let now = context.clock.now()
    if let (map, _) = timeline() { placeMarks(map, now: now) }
    if now - lastLog >= Self.logInterval, let (map, _) = timeline() {
      lastLog = now
      noteWallStep(at: end)
      writers.post(.place(clock, map), at: end)
    }
    self.writers?.report(to: context)
  }

  /// Marks whose instants have come are marks of frames.
  private func placeMarks(_ map: ClockMap, now: HostInstant) {
    for mark in context.inbox.takeMarks(upTo: map.shared(at: now)) {
      guard let index = clock.index(nearest: map.host(at: mark.shared)) else { continue }
      writers?.post(.marker(mark.text, mark.shared), at: index)
    }
  }

  private func noteWallStep(at end: SampleIndex) {
    let reading = context.clock.sandwich()
    let step = wallClock.look(host: reading.host, unixNanoseconds: reading.otherNanoseconds)
    guard let step else { return }
    let entry = TimingLogWallStep(
      host: reading.host, stepNanoseconds: step, unixNanoseconds: reading.otherNanoseconds)
    writers?.post(.entry(.wallStep(entry)), at: end)
  }
}
