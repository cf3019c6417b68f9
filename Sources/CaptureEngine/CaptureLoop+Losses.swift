internal import Realtime
internal import Recording

// What is lost, and the silence for it.
extension CaptureLoop {
  func gap(of frames: Int64, cause: StreamGap.Cause, bound: Int64) -> StreamGap {
    StreamGap(index: count, frames: frames, boundFrames: bound, cause: cause)
  }

  mutating func silence(_ frames: Int64, cause: StreamGap.Cause, bound: Int64) {
    let frames = max(0, frames)
    // Also where nothing was lost, but that is not known to the frame.
    guard frames > 0 || bound > 0 else { return }
    tell(gap(of: frames, cause: cause, bound: bound))
    stream.ring.publishSilence(frames)
    count += frames
  }

  /// A loss that was found afterwards. One of before the stream's last stop is a part of that
  /// stop's gap.
  mutating func makeUp(for loss: StreamGap) {
    guard loss.lostTo > begunCount else { return }
    var loss = loss
    loss.index = count
    tell(loss)
    stream.ring.publishSilence(loss.frames)
    count += loss.frames
  }

  mutating func tell(_ gap: StreamGap) {
    if let before = untold {
      let whole = before.joined(with: gap)
      if whole == nil, !stream.events.push(.gap(before)) { return }
      untold = whole ?? gap
    } else {
      untold = gap
    }
    if let gap = untold, stream.events.push(.gap(gap)) { untold = nil }
  }
}
