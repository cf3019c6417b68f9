internal import Realtime
internal import Recording
internal import Units

// Frames from the ring to the file.
extension TakeWriting {
  /// Writes a chunk, or what there is up to `limit`; whether there is more.
  func advance(
    _ recorder: TakeRecorder, to limit: SampleIndex
  ) throws(CaptureError) -> Bool {
    let waiting = (limit - recorder.next).value
    if waiting <= Int64(chunk), !hasCaughtUp {
      hasCaughtUp = true
      // What came before is much, as a rule: the header tells of it at once.
      lastSync = lastSync - Self.syncInterval
    }
    guard waiting > 0 else { return false }
    try copy(recorder, count: Int(min(waiting, Int64(chunk))))
    note(recorder)
    return waiting > Int64(chunk)
  }

  func note(_ recorder: TakeRecorder) {
    writer.update {
      $0.frames = recorder.frames
      $0.next = recorder.next
    }
  }

  private func copy(_ recorder: TakeRecorder, count: Int) throws(CaptureError) {
    resize(to: count * conversion.bytesPerFrame)
    let isWhole = packed.withUnsafeMutableBytes { target in
      guard var place = target.baseAddress else { return false }
      return ring.read(from: recorder.next, count: count) {
        place += conversion.convert($0, to: place)
      }
    }
    if !isWhole { try skip(recorder, upTo: count) }
    let bytes = packed
    try timed { () throws(CaptureError) in try recorder.append(bytes) }
  }

  /// The disk has kept us waiting for longer than the ring reaches: the oldest is gone.
  private func skip(_ recorder: TakeRecorder, upTo count: Int) throws(CaptureError) {
    let reach = (ring.oldest - recorder.next).value + Int64(chunk)
    let silent = Int(max(1, min(Int64(count), reach)))
    try recorder.note(
      StreamGap(
        index: recorder.next.value, frames: Int64(silent), boundFrames: 0, cause: .diskTooSlow))
    packed = [UInt8](repeating: 0, count: silent * conversion.bytesPerFrame)
    let text =
      "frames were lost: the disk of \(writer.output) was too slow; silence stands for them"
    writer.update {
      $0.gaps += 1
      if $0.warnings.last != text { $0.warnings.append(text) }
    }
  }

  private func resize(to count: Int) {
    if packed.count > count { packed.removeLast(packed.count - count) }
    if packed.count < count { packed += repeatElement(0, count: count - packed.count) }
  }
}
