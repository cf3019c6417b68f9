internal import BroadcastWave
internal import HostClock
internal import Realtime
internal import Recording
internal import Units

/// The work of a take writer's thread: from the ring to the disk.
final class TakeWriting {
  /// The most bytes of the ring that are handled at once.
  static let chunkBytes = 262_144
  /// How often the header is made true, and how often the room on the disk is looked at. What the
  /// header says is itself safe only with the next round: a cut of the power costs two of them.
  static let syncInterval = Duration.milliseconds(350)
  static let roomInterval = Duration.seconds(1)
  /// How often a take's files may be taken away under it, until it gives up.
  static let mostRemovals = 8
  /// How many items are kept for files that are begun anew.
  static let mostSettled = 4096
  /// A disk that takes so long to write is worth a line.
  static let stall = Duration.milliseconds(250)
  /// How long it sleeps when there is nothing to do, in milliseconds, unless it is woken: a little
  /// more than what is between two rounds.
  static let nap: Int32 = 500

  private let writer: TakeWriter
  private let opening: TakeOpening
  private let context: EngineContext
  private let ring: FrameRing
  private let shape: CardShape
  private let conversion: SampleConversion
  private let room: DiskRoom
  private let chunk: Int
  private var packed: [UInt8] = []
  private var items: [TakeItem] = []
  /// What was written down last, for files that are begun anew: the newest.
  private var settled: [TakeItem] = []
  private var removals = 0
  private var lastSync: HostInstant
  private var lastRoom: HostInstant
  /// What the header tells of, which is itself on the disk only the next time.
  private var promised: SampleIndex?

  init(
    writer: TakeWriter, opening: TakeOpening, context: EngineContext, stream: CaptureStream,
    shape: CardShape
  ) {
    self.writer = writer
    self.opening = opening
    self.context = context
    ring = stream.ring
    self.shape = shape
    conversion = shape.conversion
    room = DiskRoom(bytesPerSecond: shape.waveFormat.bytesPerFrame * shape.rate.hertz)
    chunk = max(1, Self.chunkBytes / shape.bytesPerFrame)
    lastSync = context.clock.now()
    lastRoom = lastSync
  }

  /// Runs until the files are closed, or cannot be written any more.
  func run() {
    do throws(CaptureError) {
      try write()
      writer.update { $0.outcome = .closed }
    } catch {
      writer.update { $0.outcome = .failed(error) }
    }
  }

  private func write() throws(CaptureError) {
    var recorder = try timed { () throws(CaptureError) in try open(opening.beginning) }
    while true {
      do throws(CaptureError) {
        if try turn(recorder) { return }
      } catch {
        recorder = try beginAnew(after: error)
      }
    }
  }

  /// Writes what there is; whether that was the end.
  private func turn(_ recorder: TakeRecorder) throws(CaptureError) -> Bool {
    // Up to where is looked at first: what lies before is told by what is collected then.
    let held = writer.heldAt
    let posted = writer.collect()
    items += posted.items
    expect(posted.items, in: recorder)
    let limit = min(ring.end, posted.end.map(\.index) ?? held)
    let hasMore = try advance(recorder, to: limit)
    try settle(recorder)
    if let end = posted.end, recorder.next >= end.index {
      try close(recorder, end)
      return true
    }
    if let fate = writer.fate {
      try leave(recorder, fate)
      return true
    }
    do {
      try keep(recorder)
    } catch {
      guard case .diskNearlyFull = error else { throw error }
      try breakOff(recorder)
      throw error
    }
    if !hasMore { writer.rest(milliseconds: Self.nap) }
    return false
  }

  /// Somebody took the files away while they were written: the take goes on in new ones, from the
  /// oldest frame on that the ring still holds.
  private func beginAnew(after error: CaptureError) throws(CaptureError) -> TakeRecorder {
    let spare = FrameCount(Int64(chunk))
    guard error.isRemoval, !opening.isDraft, removals < Self.mostRemovals,
      let beginning = Cut(clock: opening.clock, map: opening.map).beginning(
        at: opening.beginning.begins, oldest: ring.oldest, end: ring.end, spare: spare)
    else { throw error }
    removals += 1
    items = settled.filter { $0.index > beginning.first } + items
    settled = []
    promised = nil
    let recorder = try open(beginning)
    expect(items, in: recorder)
    let lost = beginning.first - opening.beginning.first
    let words =
      "\(error); the take goes on in a new file"
      + (lost > .zero ? ", which begins \(shape.rate.duration(of: lost).inSeconds) s later" : "")
    writer.update { $0.warnings.append(words) }
    return recorder
  }

  private func open(_ beginning: Cut.Beginning) throws(CaptureError) -> TakeRecorder {
    let recorder = try TakeRecorder(
      plan: opening.plan, t0: opening.t0, beginning: beginning, output: writer.output,
      host: context.host, session: opening.session, format: shape.waveFormat,
      tracks: shape.names(from: context.tracks),
      settings: opening.isDraft ? context.settings.forDraft : context.settings,
      isDraft: opening.isDraft, followsDraft: opening.followsDraft)
    if let coordinator = opening.coordinator { try recorder.write(.coordinator(coordinator)) }
    try recorder.mark(beginning.first, clock: opening.clock, map: opening.map)
    writer.update { $0.folder = recorder.folder }
    note(recorder)
    return recorder
  }

  /// Writes a chunk, or what there is up to `limit`; whether there is more.
  private func advance(
    _ recorder: TakeRecorder, to limit: SampleIndex
  ) throws(CaptureError) -> Bool {
    let waiting = (limit - recorder.next).value
    if waiting <= Int64(chunk), !writer.now.hasCaughtUp {
      writer.update { $0.hasCaughtUp = true }
      // What came before is much, as a rule: the header tells of it at once.
      lastSync = lastSync - Self.syncInterval
    }
    guard waiting > 0 else { return false }
    try copy(recorder, count: Int(min(waiting, Int64(chunk))))
    note(recorder)
    return waiting > Int64(chunk)
  }

  private func note(_ recorder: TakeRecorder) {
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

  /// Writes down what waited for its frame, in the order that it came in.
  private func settle(_ recorder: TakeRecorder) throws(CaptureError) {
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
  private func expect(_ posted: [TakeItem], in recorder: TakeRecorder) {
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

  private func keep(_ recorder: TakeRecorder) throws(CaptureError) {
    let now = context.clock.now()
    if now - lastSync >= Self.syncInterval {
      lastSync = now
      try timed { () throws(CaptureError) in try recorder.keepTrue() }
      // With this the header of the time before is on the disk.
      writer.update { $0.safe = promised }
      promised = recorder.next
      try noteStall(since: now, in: recorder)
    }
    // A draft is small, and soon gone: the take's own files are closed while there is room.
    if !opening.isDraft, now - lastRoom >= Self.roomInterval {
      lastRoom = now
      try room.check(writer.output)
    }
  }

  /// The disk kept us waiting for longer than it should.
  private func noteStall(since: HostInstant, in recorder: TakeRecorder) throws(CaptureError) {
    let now = context.clock.now()
    guard now - since >= Self.stall else { return }
    try recorder.write(
      .stall(
        TimingLogStall(
          host: now, durationNanoseconds: (now - since).wholeNanoseconds, frame: recorder.frames)))
  }

  private func close(_ recorder: TakeRecorder, _ end: TakeEnd) throws(CaptureError) {
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

  /// What belongs behind the last frame does not belong to the file any more.
  private func settleRest(_ recorder: TakeRecorder) throws(CaptureError) {
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

  /// Closes the files with what there is, while there still is room for that.
  private func breakOff(_ recorder: TakeRecorder) throws(CaptureError) {
    let last = recorder.next - FrameCount(1)
    try recorder.mark(text: "the disk is nearly full: the take ends here", frame: recorder.frames)
    let host = opening.clock.host(of: last)
    let t1 = host.map { opening.map.shared(at: $0) } ?? opening.t0
    try close(
      recorder,
      TakeEnd(index: recorder.next, t1: t1, isWhole: false, clock: opening.clock, map: nil))
  }

  /// What becomes of a draft.
  private func leave(_ recorder: TakeRecorder, _ fate: TakeWriter.Fate) throws(CaptureError) {
    switch fate {
    case .discarded: try recorder.discard()
    case .kept: try recorder.keepTrue()
    }
  }

  /// Takes note of how long `work` takes.
  private func timed<Result>(
    _ work: () throws(CaptureError) -> Result
  ) throws(CaptureError) -> Result {
    let begun = context.clock.now()
    defer {
      let took = context.clock.now() - begun
      writer.update { $0.slowestWrite = max($0.slowestWrite, took) }
    }
    return try work()
  }
}
