internal import HostClock
internal import Realtime
internal import Recording
internal import Units

// The files' end.
extension TakeWriting {
  func close(_ recorder: TakeRecorder, _ end: TakeEnd) throws(CaptureError) {
    if recorder.next > end.index, end.isWhole {
      let frame = (end.index - recorder.first).value
      writer.update { $0.excess = recorder.next - end.index }
      try recorder.mark(text: "T1: the stop was heard late; align trims here", frame: frame)
    }
    try settleRest(recorder)
    if let map = end.map, recorder.frames > 0 {
      try recorder.mark(recorder.next - FrameCount(1), clock: end.clock, map: map)
    }
    recorder.remark(context.inbox.remarks(of: recorder.plan.id))
    let reachesBack = recorder.beginning.reaches(opening.t0)
    let closing = try timed { () throws(CaptureError) in
      try recorder.finish(t1: end.t1, isComplete: end.isWhole && reachesBack)
    }
    context.keep(closing)
    writer.update {
      $0.frames = recorder.frames
      $0.warnings += recorder.warnings
    }
  }

  /// Closes the files with what there is, while there still is room for that.
  func breakOff(_ recorder: TakeRecorder) throws(CaptureError) {
    let last = recorder.next - FrameCount(1)
    try recorder.mark(text: "the disk is nearly full: the take ends here", frame: recorder.frames)
    let host = opening.clock.host(of: last)
    let t1 = host.map { opening.map.shared(at: $0) } ?? opening.t0
    try close(
      recorder,
      TakeEnd(index: recorder.next, t1: t1, isWhole: false, clock: opening.clock, map: nil))
  }

  /// What becomes of a draft.
  func leave(_ recorder: TakeRecorder, _ fate: TakeWriter.Fate) throws(CaptureError) {
    switch fate {
    case .discarded: try recorder.discard()
    case .kept: try recorder.keepTrue()
    }
  }
}
