internal import ALSA
internal import Glibc
internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// The capture thread: from card to ring, and nothing else. It counts; others speak.
///
/// While the card runs the thread neither allocates nor locks. While the card is gone there is
/// nothing to be late for, and it looks for the card by itself.
struct CaptureLoop: ~Copyable, Sendable {
  /// How long the thread rests between two turns, in microseconds: while the stream is young, or
  /// somebody waits for its newest frames; later, when its line is known; and later where the
  /// pointer moves by packets, which tell less each. Where the buffer is small, an eighth of it.
  private static var rests: (young: Int, known: Int, packets: Int) { (25_000, 200_000, 50_000) }
  /// How long a stream is young: the line needs so much of it to be as good as it gets.
  private static let youthNanoseconds: Int64 = 12_000_000_000
  /// How long a driver that woke the thread for nothing is left alone, in microseconds.
  private static let pauseMicroseconds: UInt32 = 10_000
  /// How long a card may stand still beyond what its buffer holds.
  private static let patienceNanoseconds: Int64 = 500_000_000
  /// How long a suspended card is asked to go on, in steps.
  private static let resumeSteps = 500
  private static let resumeStepMicroseconds: UInt32 = 10_000
  /// How often a card that is gone is looked for, and silence put in.
  private static let searchMicroseconds: UInt32 = 250_000
  private static let silenceMicroseconds: UInt32 = 50_000

  private var card: PCMCapture
  private let stream: CaptureStream
  private let clock: HostClock
  /// Under which name a card that is gone may come back.
  private let nameAgain: @Sendable () -> String?
  private let bytesPerFrame: Int
  private let longestRest: Int
  private var count: Int64 = 0
  private var steps = PointerSteps()
  /// When the stream began, or began anew.
  private var begunNanoseconds: Int64
  private var last = StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false)
  private var moved = StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false)
  private var line: StreamLine
  private var sleptNanoseconds: Int64
  /// A gap that found no room in the queue: it is told with the next, never dropped.
  private var untold: StreamGap?

  /// - Parameter nameAgain: how ALSA calls the card once it is back, asked for while it is gone;
  ///   nothing while it is not there.
  init(
    card: consuming PCMCapture, stream: CaptureStream, clock: HostClock,
    nameAgain: (@Sendable () -> String?)? = nil
  ) {
    let name = card.name
    self.nameAgain = nameAgain ?? { name }
    bytesPerFrame = card.bytesPerFrame
    longestRest = card.bufferFrames * 125_000 / card.rate.hertz
    begunNanoseconds = clock.now().nanoseconds
    self.card = card
    self.stream = stream
    self.clock = clock
    line = stream.nominal
    last.hostNanoseconds = clock.now().nanoseconds
    sleptNanoseconds = clock.suspendedNanoseconds()
  }

  /// Runs until the stream shall stop.
  consuming func run() {
    while !stream.shallStop.load(ordering: .relaxed) {
      do throws(PCMFault) {
        let isCalled = card.rest(microseconds: rest)
        try turn()
        if isCalled { usleep(Self.pauseMicroseconds) }
      } catch {
        recover(from: error)
      }
    }
  }

  private var rest: Int {
    let isYoung = last.hostNanoseconds - begunNanoseconds < Self.youthNanoseconds
    let rest =
      isYoung || stream.isUrgent.load(ordering: .relaxed)
      ? Self.rests.young : steps.areLarge ? Self.rests.packets : Self.rests.known
    return min(rest, longestRest)
  }

  private mutating func turn() throws(PCMFault) {
    takeLines()
    while let repair = stream.repairs.pop() { makeUp(for: repair) }
    var position = try card.position()
    let glance = note(position)
    if position.available == 0 { return standStill(position, glance) }
    try skipWhatIsLost(&position)
    try read(position.available)
    let edge = try seekEdge()
    // What was seen of the pointer while it stood is of use only where it was not seen to move.
    tell(edge ?? glance)
  }

  /// Nothing came: that is told, and in the end the card is started anew.
  private mutating func standStill(_ position: PCMCapture.Position, _ glance: StreamStamp) {
    tell(glance)
    let reach = Double(card.bufferFrames) * line.nanosecondsPerFrame
    let still = position.lookedNanoseconds - moved.hostNanoseconds
    if moved.hostNanoseconds > 0, still > Int64(reach) + Self.patienceNanoseconds {
      restart(cause: .stalled)
    }
  }

  private mutating func read(_ available: Int) throws(PCMFault) {
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

  /// Looks on until the pointer moves; nothing where that was not seen well enough.
  private mutating func seekEdge() throws(PCMFault) -> StreamStamp? {
    var before = try card.position()
    let isLarge = steps.areLarge
    let wait = steps.wait(
      at: count + Int64(before.available), now: before.lookedNanoseconds, line: line)
    if wait >= 1000 {
      usleep(UInt32(wait / 1000))
      let after = try card.position()
      steps.waited(tooLong: after.available != before.available)
      before = after
    }
    for _ in 0..<(isLarge ? PointerSteps.packetLooks : PointerSteps.looks) {
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
      if isLarge { usleep(PointerSteps.napMicroseconds) }
    }
    steps.missed()
    return nil
  }

  private mutating func note(_ position: PCMCapture.Position) -> StreamStamp {
    let before = last.count
    last = StreamStamp(
      count: count + Int64(position.available), hostNanoseconds: position.hostNanoseconds,
      isStamped: position.isStamped)
    if last.count != before || moved.hostNanoseconds == 0 { moved = last }
    return last
  }

  private func tell(_ stamp: StreamStamp) {
    // Gaps must find room also where nobody has listened for long.
    stream.events.push(.stamp(stamp), leaving: CaptureStream.eventsForGaps)
  }

  /// More frames than the buffer holds: the oldest were overwritten. Two periods more are given
  /// up, since the card writes on while this is done.
  private mutating func skipWhatIsLost(_ position: inout PCMCapture.Position) throws(PCMFault) {
    guard position.available > card.bufferFrames else { return }
    let wanted = position.available - card.bufferFrames + 2 * card.periodFrames
    let lost = Int64(try card.forward(wanted))
    silence(lost, cause: .notReadInTime, bound: 0)
    position = try card.position()
  }

  private mutating func takeLines() {
    while let newest = stream.lines.pop() { line = newest }
    guard line.hostNanoseconds == 0 else { return }
    // Nothing has been measured yet: by the nominal rate from the last look.
    line.count = Double(last.count)
    line.hostNanoseconds = last.hostNanoseconds
    line.boundNanoseconds = Double(card.periodFrames) * line.nanosecondsPerFrame
  }
}

// What is lost.
extension CaptureLoop {
  private func gap(of frames: Int64, cause: StreamGap.Cause, bound: Int64) -> StreamGap {
    StreamGap(index: count, frames: frames, boundFrames: bound, cause: cause)
  }

  private mutating func silence(_ frames: Int64, cause: StreamGap.Cause, bound: Int64) {
    let frames = max(0, frames)
    // Also where nothing was lost, but that is not known to the frame.
    guard frames > 0 || bound > 0 else { return }
    tell(gap(of: frames, cause: cause, bound: bound))
    stream.ring.publishSilence(frames)
    count += frames
  }

  /// A loss that was found afterwards.
  private mutating func makeUp(for loss: StreamGap) {
    var loss = loss
    loss.index = count
    tell(loss)
    stream.ring.publishSilence(loss.frames)
    count += loss.frames
  }

  private mutating func tell(_ gap: StreamGap) {
    if let before = untold {
      let whole = before.joined(with: gap)
      if whole == nil, !stream.events.push(.gap(before)) { return }
      untold = whole ?? gap
    } else {
      untold = gap
    }
    if let gap = untold, stream.events.push(.gap(gap)) { untold = nil }
  }

  private mutating func recover(from fault: PCMFault) {
    switch fault {
    case .notReady: usleep(1000)
    case .overrun: restart(cause: .overrun)
    case .suspended: resume()
    case .disconnected, .other: search()
    }
  }

  /// Starts the stream anew, and fills what passed meanwhile with silence.
  private mutating func restart(cause: StreamGap.Cause) {
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

  /// Reads what a stream had before it stopped, as far as the buffer still holds it.
  private mutating func finish(_ waiting: Int) throws(PCMFault) {
    let over = waiting - card.bufferFrames
    if over > 0 { silence(Int64(try card.forward(over)), cause: .notReadInTime, bound: 0) }
    try read(waiting - max(0, over))
  }

  /// Places a stream that began anew: what lies between follows from the host's clock and the
  /// crystal's measured line.
  private mutating func reattach(cause: StreamGap.Cause) throws(PCMFault) {
    takeLines()
    // They were found by the counts of before.
    while stream.repairs.pop() != nil {}
    let slept = clock.sleptNanoseconds(since: sleptNanoseconds) ?? 0
    var between = Reattachment(line: line, count: count, sleptNanoseconds: slept)
    sleptNanoseconds += slept
    for _ in 0..<8 * Reattachment.wantedLooks where between.looks < Reattachment.wantedLooks {
      let position = try card.position()
      between.look(
        available: Int64(position.available), hostNanoseconds: position.hostNanoseconds)
      usleep(700)
    }
    let (frames, bound) = between.gap
    silence(frames, cause: cause, bound: bound)
    moved.hostNanoseconds = 0
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
