internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// Follows a stream by what its capture thread tells: where its frames lie in time, and what of
/// it was lost.
struct StreamFollower: Sendable {
  /// What is worth saying.
  enum News: Hashable, Sendable {
    /// Frames were lost; or more of them, as a piece of the gap before.
    case lost(StreamGap, isPiece: Bool)
    /// The stream stopped and began anew, and nothing was lost as far as can be told.
    case stopped(StreamGap)
    case cardGone
    case cardBack
    /// The driver gives no stamps that can be believed.
    case unstamped
    /// The card is nowhere near the rate that it says.
    case farFromNominal(ClockRate)
  }

  /// How many looks it takes to say that a driver gives no stamps.
  static let enoughLooks = 100

  private(set) var clock: SampleClock
  /// Every gap of the stream that a file may still fall into.
  private(set) var ledger = GapLedger()
  private let stream: CaptureStream
  private var watch: LossWatch
  /// A loss that was found, while the silence for it is not in the ring yet: until then counts are
  /// of another line.
  private var unrepaired: StreamGap?
  /// The line that a stop is measured by, until the thread knows it. What was lost without a word
  /// before the stop is a part of its gap then, so looks that may come after such a loss have no say
  /// in it.
  private var assured: StreamLine?
  /// Up to here all has been told: a gap's silence is published behind its event.
  private var told = SampleIndex(0)
  private var isGone = false
  private var isFar = false
  private var looks = (all: 0, stamped: 0)

  init(stream: CaptureStream, rate: SampleRate, started: HostInstant) {
    self.stream = stream
    clock = SampleClock(rate: rate, started: started)
    watch = LossWatch(rate: rate)
  }

  /// Whether frames may have been lost without a word: more looks would tell sooner.
  var isSuspicious: Bool { watch.isSuspicious }

  /// Takes in all that has been told, and tells the thread what is known of its line.
  mutating func follow() -> [News] {
    var news: [News] = []
    // Before the events: what comes between may be more of a gap that is known only in part.
    told = stream.ring.end
    while let event = stream.events.pop() {
      switch event {
      case .stamp(let stamp): news += look(stamp)
      case .gap(let gap): news += lose(gap)
      case .back:
        isGone = false
        news.append(.cardBack)
      }
    }
    if unrepaired == nil, let line = assured, stream.lines.push(line) { assured = nil }
    if !isFar, let excess = clock.excess, clock.isSteady,
      abs(excess.fraction) > SampleClock.plausibleExcess.fraction
    {
      isFar = true
      news.append(.farFromNominal(excess))
    }
    return news
  }

  /// The gaps that have come to their end, each once.
  mutating func endedGaps() -> [StreamGap] {
    ledger.forget(before: stream.ring.oldest)
    return ledger.announce(upTo: told)
  }

  /// The gaps that were not given yet, whether or not they may still grow: a file ends here.
  mutating func allGaps() -> [StreamGap] { ledger.announceAll() }

  private mutating func look(_ stamp: StreamStamp) -> [News] {
    guard unrepaired == nil else { return [] }
    let host = HostInstant(nanoseconds: stamp.hostNanoseconds)
    let count = FrameCount(stamp.count)
    clock.observe(count: count, at: host, isStamped: stamp.isStamped, isEdge: stamp.isEdge)
    if let loss = watch.observe(count: count, at: host, isEdge: stamp.isEdge) { repair(loss) }
    if watch.isAssured, unrepaired == nil { assured = clock.streamLine }
    looks.all += 1
    looks.stamped += stamp.isStamped ? 1 : 0
    return looks.all == Self.enoughLooks && looks.stamped * 2 < looks.all ? [.unstamped] : []
  }

  private mutating func repair(_ loss: LossWatch.Loss) {
    clock.forget(after: loss.host)
    let gap = Self.gap(of: loss)
    unrepaired = gap
    stream.repairs.push(gap)
  }

  private static func gap(of loss: LossWatch.Loss) -> StreamGap {
    StreamGap(
      index: 0, frames: loss.frames, boundFrames: loss.boundFrames, cause: .silentLoss,
      lostFrom: loss.from.value, lostTo: loss.to.value)
  }

  private mutating func lose(_ gap: StreamGap) -> [News] {
    var parts = [gap]
    if gap.boundFrames > 0 {
      let silent = unrepaired ?? watch.lossAtEnd().map(Self.gap)
      if gap.cause != .silentLoss, let silent { parts = gap.split(for: silent) }
      clock.startAnew()
      watch.startAnew()
      unrepaired = nil
    }
    var news: [News] = []
    for part in parts where part.frames > 0 {
      let isNew = ledger.add(part)
      news.append(.lost(part, isPiece: !isNew))
    }
    if gap.frames == 0 { news.append(.stopped(gap)) }
    if gap.cause == .disconnected, !isGone, stream.isGone.load(ordering: .relaxed) {
      isGone = true
      news.append(.cardGone)
    }
    return news
  }
}
