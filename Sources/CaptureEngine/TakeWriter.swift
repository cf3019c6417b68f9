internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

/// Writes one take to one place, on a thread of its own that may wait for the disk as long as it
/// takes: the ring waits for it.
///
/// Each place that a take goes to has a writer of its own, so that one that is slow or fails keeps
/// no other waiting.
final class TakeWriter: Sendable {
  /// The most that waits to be written beside the sound: a day's, by and large.
  static let mostItems = 65_536

  enum Outcome: Hashable, Sendable {
    case running
    /// The files are closed and named.
    case closed
    case failed(CaptureError)
  }

  /// How it does, for whoever watches.
  struct Progress: Sendable {
    var outcome = Outcome.running
    /// Where the take's files are; nothing before they are open.
    var folder: String?
    var frames: Int64 = 0
    /// The frame of the stream that comes next; nothing before the files are open.
    var next: SampleIndex?
    /// All before this frame is on the disk, and the header that tells of it.
    var safe: SampleIndex?
    var slowestWrite = Duration.zero
    /// How far the file goes on beyond T1.
    var excess = FrameCount.zero
    var lostItems = 0
    var warnings: [String] = []
    /// How many gaps the writer itself has made: the disk was too slow for the ring.
    var gaps = 0
  }

  private struct Mailbox {
    var items: [TakeItem] = []
    var end: TakeEnd?
    var fate: Fate?
  }

  /// What becomes of a draft.
  enum Fate { case discarded, kept }

  let output: String
  private let mailbox = Mutex(Mailbox())
  private let progress = Mutex(Progress())
  /// Up to where may be written for now.
  private let limit = Atomic<Int64>(.max)
  private let known = Atomic<Int64>(0)
  /// Rung where there is enough to write, and where the take's end has come near.
  private let bell = Doorbell()
  private let thread = Mutex<RealtimeThread?>(nil)

  /// Starts to write the take below the folder `output`.
  init(
    output: String, opening: TakeOpening, context: EngineContext, stream: CaptureStream,
    shape: CardShape
  ) {
    self.output = output
    let thread = RealtimeThread(name: "writer") { [self] in
      TakeWriting(
        writer: self, opening: opening, context: context, stream: stream, shape: shape
      ).run()
    }
    self.thread.withLock { $0 = thread }
  }

  /// How the writing does.
  var now: Progress { progress.withLock { $0 } }

  /// Puts something into the files once its frame is there.
  func post(_ item: TakeItem) {
    let hasRoom = mailbox.withLock { mailbox in
      guard mailbox.items.count < Self.mostItems else { return false }
      mailbox.items.append(item)
      return true
    }
    if !hasRoom { update { $0.lostItems += 1 } }
  }

  /// All before `index` is known, with its gaps, and may be written; at once, where `isDue`.
  func allow(upTo index: SampleIndex, isDue: Bool) {
    known.store(index.value, ordering: .relaxed)
    if isDue { bell.ring() }
  }

  /// Writes no further than to `index` for now: the take's end is near.
  func hold(at index: SampleIndex) { limit.store(index.value, ordering: .relaxed) }

  /// Closes the files where the take ends.
  func end(_ end: TakeEnd) {
    mailbox.withLock { $0.end = $0.end ?? end }
    bell.ring()
  }

  /// Takes a draft's files away, or leaves them behind as they are: as what an interruption leaves.
  func leave(_ fate: Fate) {
    mailbox.withLock { $0.fate = $0.fate ?? fate }
    bell.ring()
  }

  /// Waits until the files are closed, or given up.
  func join() { thread.withLock { $0 }?.join() }

  // For the writing thread.

  /// Waits for so long, or until the end is known.
  func rest(milliseconds: Int32) { bell.rest(milliseconds: milliseconds) }

  var heldAt: SampleIndex {
    SampleIndex(min(known.load(ordering: .relaxed), limit.load(ordering: .relaxed)))
  }

  func update(_ change: (inout Progress) -> Void) { progress.withLock { change(&$0) } }

  /// What is to become of a draft, once that is known.
  var fate: Fate? { mailbox.withLock { $0.fate } }

  /// What has been posted since the last call, and the end once that is known.
  func collect() -> (items: [TakeItem], end: TakeEnd?) {
    mailbox.withLock { mailbox in
      defer { mailbox.items = [] }
      return (mailbox.items, mailbox.end)
    }
  }
}
