internal import Synchronization
public import Units

/// A ring of sample frames between one thread that fills it and one that reads it.
///
/// Frames are addressed by their index in the card's stream, and the writer never waits: it goes
/// round and overwrites the oldest. Whoever reads checks afterwards that what it copied was still
/// there, since only then is it whole.
///
/// What the writer calls is `@_noLocks`: the compiler refuses it if it could allocate, lock or count
/// references.
public final class FrameRing: Sendable {
  /// The number of frames kept.
  public let capacity: Int
  public let bytesPerFrame: Int
  /// Safe to share: one thread writes ahead of `written`, and readers look behind it and check
  /// ``oldest`` afterwards.
  nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
  /// Frames from the stream's beginning that have been put in; moved by the writer alone.
  private let written = Atomic<Int64>(0)
  /// Frames that the writer may be overwriting: moved before it writes.
  private let claimed = Atomic<Int64>(0)

  /// Makes a ring of `capacity` frames and touches all of its memory.
  public init(capacity: Int, bytesPerFrame: Int) {
    precondition(capacity > 0 && bytesPerFrame > 0, "a ring holds something")
    self.capacity = capacity
    self.bytesPerFrame = bytesPerFrame
    memory = .allocate(byteCount: capacity * bytesPerFrame, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * bytesPerFrame)
  }

  deinit { memory.deallocate() }

  /// The ring's memory in bytes.
  public var byteCount: Int { capacity * bytesPerFrame }

  /// One beyond the newest frame.
  public var end: SampleIndex { SampleIndex(written.load(ordering: .acquiring)) }

  /// The oldest frame that is whole.
  public var oldest: SampleIndex {
    SampleIndex(max(0, claimed.load(ordering: .acquiring) - Int64(capacity)))
  }

  /// Where the writer may put up to `most` frames, all behind one another. The frames become
  /// readable with ``publish(_:)``. Neither allocates nor waits.
  @_noLocks
  public func claim(_ most: Int) -> (start: UnsafeMutableRawPointer, frames: Int) {
    let place = Int(written.load(ordering: .relaxed) % Int64(capacity))
    let frames = min(most, capacity - place)
    claimed.store(
      written.load(ordering: .relaxed) + Int64(frames), ordering: .sequentiallyConsistent)
    return (memory + place * bytesPerFrame, frames)
  }

  /// Makes the next `frames` of what was claimed readable.
  @_noLocks
  public func publish(_ frames: Int) {
    written.store(written.load(ordering: .relaxed) + Int64(frames), ordering: .releasing)
  }

  /// Puts in `frames` of silence, for what was lost.
  @_noLocks
  public func publishSilence(_ frames: Int64) {
    var left = frames
    while left > 0 {
      let (start, count) = claim(Int(min(left, Int64(capacity))))
      start.initializeMemory(as: UInt8.self, repeating: 0, count: count * bytesPerFrame)
      publish(count)
      left -= Int64(count)
    }
  }

  /// Hands out the memory of the frames from `from` up to but without `to`, in one or two pieces;
  /// stops where `body` says false. At most one round.
  func forEachPiece(
    from: Int64, to: Int64, _ body: (UnsafeMutableRawPointer, _ bytes: Int) -> Bool
  ) -> Bool {
    var index = from
    let limit = min(to, from + Int64(capacity))
    while index < limit {
      let place = Int(index % Int64(capacity))
      let portion = min(Int(limit - index), capacity - place)
      guard body(memory + place * bytesPerFrame, portion * bytesPerFrame) else { return false }
      index += Int64(portion)
    }
    return true
  }

  /// Shows `body` the `count` frames from `index` on where they lie, in one piece or in two; false
  /// where they are not all there, or were overwritten meanwhile, so that what `body` made of them
  /// is void.
  public func read(
    from index: SampleIndex, count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard index >= oldest, (index + FrameCount(Int64(count))) <= end, count <= capacity else {
      return false
    }
    var done = 0
    while done < count {
      let place = Int((index.value + Int64(done)) % Int64(capacity))
      let portion = min(count - done, capacity - place)
      body(
        UnsafeRawBufferPointer(
          start: memory + place * bytesPerFrame, count: portion * bytesPerFrame))
      done += portion
    }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return index >= oldest
  }

  /// Copies `count` frames from `index` on to `target`; false where they are not all there, or
  /// were overwritten meanwhile.
  public func copy(
    from index: SampleIndex, count: Int, to target: UnsafeMutableRawPointer
  ) -> Bool {
    var place = target
    return read(from: index, count: count) { piece in
      guard let start = piece.baseAddress else { return }
      place.copyMemory(from: start, byteCount: piece.count)
      place += piece.count
    }
  }
}
