internal import BroadcastWave
internal import HostClock
internal import Realtime
internal import Recording
internal import Units

/// The work of a take writer's thread: from the ring to the disk.
final class TakeWriting {
  /// The most bytes of the ring that are handled at once.
  static let chunkBytes = 262_144
  /// How often the header is made true at most, and how often the room on the disk is looked at.
  /// What the header says is itself safe only with the next round: a cut of the power costs two of
  /// them. Much less than what is between two wakes (`EngineWorker.writing`), so that a round that
  /// began late does not let the next be left out.
  static let syncInterval = Duration.milliseconds(150)
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

  let writer: TakeWriter
  let opening: TakeOpening
  let context: EngineContext
  let ring: FrameRing
  let shape: CardShape
  let conversion: SampleConversion
  private let room: DiskRoom
  let chunk: Int
  var packed: [UInt8] = []
  var items: [TakeItem] = []
  /// What was written down last, for files that are begun anew: the newest.
  var settled: [TakeItem] = []
  private var removals = 0
  /// Whether what it began with is written.
  var hasCaughtUp = false
  var lastSync: HostInstant
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

  /// Takes note of how long `work` takes.
  func timed<Result>(
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
