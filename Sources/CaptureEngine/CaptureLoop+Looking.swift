internal import ALSA
internal import Glibc
internal import Realtime
internal import Recording

// When the card was how far.
extension CaptureLoop {
  mutating func note(_ position: PCMCapture.Position) -> StreamStamp {
    let before = last.count
    last = StreamStamp(
      count: count + Int64(position.available), hostNanoseconds: position.hostNanoseconds,
      isStamped: position.isStamped)
    if last.count != before || moved.hostNanoseconds == 0 { moved = last }
    return last
  }

  /// Looks on until the pointer moves; nothing where that was not seen well enough.
  mutating func seekEdge() throws(PCMFault) -> StreamStamp? {
    var before = try approach()
    var naps = 0
    for _ in 0..<steps.mostLooks {
      let next = try card.position()
      if next.available != before.available {
        let isSeen = steps.moved(
          by: Int64(next.available - before.available), of: line.nanosecondsPerFrame,
          within: next.lookedNanoseconds - before.lookedNanoseconds)
        var edge = note(next)
        edge.isEdge = true
        return isSeen ? edge : nil
      }
      before = next
      let nap = steps.nap(
        at: count + Int64(next.available), now: next.lookedNanoseconds, line: line)
      guard nap > 0 else { continue }
      naps += 1
      if naps > PointerSteps.mostNaps { break }
      usleep(nap)
    }
    steps.missed()
    return nil
  }

  /// Waits until shortly before the pointer can move, where that is known; where it stands then.
  private mutating func approach() throws(PCMFault) -> PCMCapture.Position {
    let before = try card.position()
    let wait = steps.wait(
      at: count + Int64(before.available), now: before.lookedNanoseconds, line: line)
    guard wait >= 1000 else { return before }
    usleep(UInt32(wait / 1000))
    let after = try card.position()
    steps.waited(tooLong: after.available != before.available)
    return after
  }

  func tell(_ stamp: StreamStamp) {
    // Gaps must find room also where nobody has listened for long.
    stream.events.push(.stamp(stamp), leaving: CaptureStream.eventsForGaps)
  }

  mutating func takeLines() {
    while let newest = stream.lines.pop() { line = newest }
    guard line.hostNanoseconds == 0 else { return }
    // Nothing has been measured yet: by the nominal rate from the last look.
    line.count = Double(last.count)
    line.hostNanoseconds = last.hostNanoseconds
    line.boundNanoseconds = Double(card.periodFrames) * line.nanosecondsPerFrame
  }
}
