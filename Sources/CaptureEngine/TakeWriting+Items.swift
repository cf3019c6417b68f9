internal import Recording
internal import Units

// What stands beside the sound, each when its frame is written.
extension TakeWriting {
  /// Writes down what waited for its frame, in the order that it came in.
  func settle(_ recorder: TakeRecorder) throws(CaptureError) {
    var done = 0
    for item in items {
      guard item.index <= recorder.next else { break }
      try put(item, into: recorder)
      done += 1
    }
    settled += items.prefix(done)
    if settled.count > Self.mostSettled { settled.removeFirst(settled.count - Self.mostSettled) }
    items.removeFirst(done)
  }

  /// Gaps may reach across the end of a segment, whose log is closed before they end.
  func expect(_ posted: [TakeItem], in recorder: TakeRecorder) {
    for item in posted {
      switch item.content {
      case .gap(let gap), .grows(let gap): recorder.expect(gap)
      case .entry, .place, .marker, .stop: break
      }
    }
  }

  private func put(_ item: TakeItem, into recorder: TakeRecorder) throws(CaptureError) {
    switch item.content {
    case .entry(let entry): try recorder.write(entry)
    case .place(let clock, let map):
      guard item.index > recorder.first else { return }
      try recorder.mark(item.index - FrameCount(1), clock: clock, map: map)
    case .gap(let gap): try recorder.note(gap)
    case .stop(let stop): try recorder.write(.stop(TimingLogStop(stop, from: recorder.first)))
    case .grows: break
    case .marker(let text, let shared):
      try recorder.mark(
        text: text, frame: (item.index - recorder.first).value, shared: shared)
    }
  }

  /// What belongs behind the last frame does not belong to the file any more.
  func settleRest(_ recorder: TakeRecorder) throws(CaptureError) {
    for item in items {
      switch item.content {
      case .gap(let gap): if let part = gap.before(recorder.next) { try recorder.note(part) }
      case .entry(let entry): try recorder.write(entry)
      case .grows: break
      case .marker, .place, .stop: if item.index <= recorder.next { try put(item, into: recorder) }
      }
    }
    items = []
  }
}
