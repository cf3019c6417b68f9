internal import ALSA
internal import HostClock
internal import Realtime
internal import Recording
internal import Units

// Frames from the card into the ring.
extension CaptureLoop {
  mutating func read(_ available: Int) throws(PCMFault) {
    var left = available
    while left > 0 {
      let (target, room) = stream.ring.claim(left)
      let frames = try card.read(into: target, frames: room)
      if frames == 0 { return }
      do throws(PCMFault) {
        silenceTorn(target, frames: frames, waiting: try card.position().available)
        publish(frames)
      } catch {
        // What was read is kept, whatever befell the card then.
        silenceTorn(target, frames: frames, waiting: card.remaining() ?? reckoned(after: frames))
        publish(frames)
        throw error
      }
      left -= frames
    }
  }

  /// More frames than the buffer holds: the oldest were overwritten. Two periods more are given
  /// up, since the card writes on while this is done.
  mutating func skipWhatIsLost(_ position: inout PCMCapture.Position) throws(PCMFault) {
    guard position.available > card.bufferFrames else { return }
    let wanted = position.available - card.bufferFrames + 2 * card.periodFrames
    let lost = Int64(try card.forward(wanted))
    silence(lost, cause: .notReadInTime, bound: 0)
    position = try card.position()
  }

  /// Reads what a stream had before it stopped, as far as the buffer still holds it.
  mutating func finish(_ waiting: Int) throws(PCMFault) {
    let over = waiting - card.bufferFrames
    if over > 0 { silence(Int64(try card.forward(over)), cause: .notReadInTime, bound: 0) }
    try read(waiting - max(0, over))
  }

  /// What the card wrote over while it was being read is no sound: it counts as lost. Behind the
  /// reading so many frames are `waiting`.
  private mutating func silenceTorn(
    _ target: UnsafeMutableRawPointer, frames: Int, waiting: Int
  ) {
    let torn = min(frames, waiting + frames - card.bufferFrames)
    guard torn > 0 else { return }
    target.initializeMemory(as: UInt8.self, repeating: 0, count: torn * bytesPerFrame)
    tell(gap(of: Int64(torn), cause: .notReadInTime, bound: 0))
  }

  /// The most frames that may wait behind a reading of `frames`, of a card that tells nothing more.
  private func reckoned(after frames: Int) -> Int {
    let passed = Double(clock.now().nanoseconds - last.hostNanoseconds)
    let came = Int(passed / line.nanosecondsPerFrame) + card.periodFrames
    return max(0, Int(last.count - count) - frames) + came
  }

  private mutating func publish(_ frames: Int) {
    stream.ring.publish(frames)
    count += Int64(frames)
  }
}
