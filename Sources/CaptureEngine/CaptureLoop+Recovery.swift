internal import ALSA
internal import Glibc
internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

// A stream that stopped, and a card that is gone.
extension CaptureLoop {
  /// How long a suspended card is asked to go on, in steps.
  private static let resumeSteps = 500
  private static let resumeStepMicroseconds: UInt32 = 10_000
  /// How often a card that is gone is looked for, and silence put in.
  private static let searchMicroseconds: UInt32 = 250_000
  private static let silenceMicroseconds: UInt32 = 50_000
  /// How often a stream that began anew is looked at until it gives frames: for a second and a half.
  private static let mostLooks = 2048
  private static let lookMicroseconds: UInt32 = 700

  mutating func recover(from fault: PCMFault) {
    switch fault {
    case .notReady: usleep(1000)
    case .overrun: restart(cause: .overrun)
    case .suspended: resume()
    case .disconnected, .other: search()
    }
  }

  /// Starts the stream anew, and fills what passed meanwhile with silence.
  mutating func restart(cause: StreamGap.Cause) {
    do throws(PCMFault) {
      try card.restart()
      try reattach(cause: cause)
    } catch {
      search()
    }
  }

  /// Asks a card that was suspended to go on, as long as it is being woken.
  private mutating func resume() {
    for _ in 0..<Self.resumeSteps where !stream.shallStop.load(ordering: .relaxed) {
      // What was taken before the sleep comes first: the silence belongs behind it.
      let waiting = card.remaining() ?? 0
      do throws(PCMFault) {
        try card.resume()
        try finish(waiting)
        return try reattach(cause: .suspended)
      } catch {
        // It may still be asleep, or be about to wake; whatever else it is, it needs a start.
        guard error == .notReady || error == .suspended else { break }
        usleep(Self.resumeStepMicroseconds)
      }
    }
    restart(cause: .suspended)
  }

  /// Places a stream that began anew: what lies between follows from the host's clock and the
  /// crystal's measured line.
  private mutating func reattach(cause: StreamGap.Cause) throws(PCMFault) {
    takeLines()
    let slept = clock.sleptNanoseconds(since: sleptNanoseconds) ?? 0
    var between = Reattachment(line: line, count: count, sleptNanoseconds: slept)
    sleptNanoseconds += slept
    for _ in 0..<Self.mostLooks where between.looks < Reattachment.wantedLooks {
      let position = try card.position()
      between.look(
        available: Int64(position.available), hostNanoseconds: position.hostNanoseconds)
      usleep(Self.lookMicroseconds)
    }
    // A stream that gives nothing cannot be placed: it may need more than a start.
    guard between.looks > 0 else { throw .disconnected }
    let (frames, bound) = between.gap
    silence(frames, cause: cause, bound: bound)
    moved.hostNanoseconds = 0
    begunCount = count
    begunNanoseconds = clock.now().nanoseconds
  }

  /// The card is gone: the take rolls on as silence, at the pace that the crystal had, until the
  /// card is back.
  private mutating func search() {
    stream.isGone.store(true, ordering: .relaxed)
    card.close()
    var waited: UInt32 = 0
    while !stream.shallStop.load(ordering: .relaxed) {
      takeLines()
      let now = clock.now().nanoseconds
      let bound = Int64(line.boundFrames(at: now).rounded(.up)) + 1
      // Never beyond where the card may be when it comes back.
      silence(
        Int64(line.count(at: now)) - bound - count, cause: .disconnected, bound: bound)
      usleep(Self.silenceMicroseconds)
      waited += Self.silenceMicroseconds
      if waited >= Self.searchMicroseconds {
        waited = 0
        if isBack() { break }
      }
    }
    stream.isGone.store(false, ordering: .relaxed)
  }

  private mutating func isBack() -> Bool {
    guard let name = nameAgain() else { return false }
    do {
      try card.reopen(as: name)
      try card.start()
      try reattach(cause: .disconnected)
      stream.events.push(.back)
      return true
    } catch {
      return false
    }
  }
}
