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
  /// How long the thread rests between two turns, in microseconds: while the stream is new, or
  /// somebody waits for its newest frames; while it is young; later, when its line is known; and
  /// later where the pointer moves by packets, which tell less each. Where the buffer is small, an
  /// eighth of it.
  ///
  /// Of a known stream some of the sample clock's quarters of a second have two looks: what these
  /// differ by tells how late looks are.
  private static var rests: (new: Int, young: Int, known: Int, packets: Int) {
    (25_000, 100_000, 225_000, 30_000)
  }
  /// How long a stream is new: a take may begin by then. And how long it is young: the line needs so
  /// much of it to be as good as it gets.
  private static var ages: (new: Int64, young: Int64) { (4_000_000_000, 12_000_000_000) }
  /// How often the engine is woken, at least: with fresh frames it has the more to do at once.
  private static let ringNanoseconds: Int64 = 190_000_000
  /// How long a driver that woke the thread for nothing is left alone, in microseconds.
  private static let pauseMicroseconds: UInt32 = 10_000
  /// How long a card may stand still beyond what its buffer holds.
  private static let patienceNanoseconds: Int64 = 500_000_000

  var card: PCMCapture
  let stream: CaptureStream
  let clock: HostClock
  /// Under which name a card that is gone may come back.
  let nameAgain: @Sendable () -> String?
  let bytesPerFrame: Int
  private let longestRest: Int
  var count: Int64 = 0
  var steps = PointerSteps()
  /// When the stream began, or began anew, and with which count.
  var begunNanoseconds: Int64
  var begunCount: Int64 = 0
  var last = StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false)
  var moved = StreamStamp(count: 0, hostNanoseconds: 0, isStamped: false)
  var line: StreamLine
  var sleptNanoseconds: Int64
  private var rungNanoseconds: Int64 = 0
  /// A gap that found no room in the queue: it is told with the next, never dropped.
  var untold: StreamGap?

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
    let age = last.hostNanoseconds - begunNanoseconds
    let isNew = age < Self.ages.new || stream.isUrgent.load(ordering: .relaxed)
    let later = age < Self.ages.young ? Self.rests.young : Self.rests.known
    return min(isNew ? Self.rests.new : steps.areLarge ? Self.rests.packets : later, longestRest)
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
    ring(at: position.lookedNanoseconds)
  }

  private mutating func ring(at now: Int64) {
    guard now - rungNanoseconds >= Self.ringNanoseconds else { return }
    rungNanoseconds = now
    stream.bell.ring()
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
}
