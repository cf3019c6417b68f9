internal import Synchronization

/// A queue of fixed length between one thread that puts in and one that takes out. Neither waits;
/// what finds no room is counted and dropped.
public final class WaitFreeQueue<Element: BitwiseCopyable & Sendable>: Sendable {
  /// Safe to share: a slot is written before `head` passes it and read before `tail` does.
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Element>
  private let capacity: Int
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)

  /// Makes a queue for up to `capacity` elements, filled with `filler` at first.
  public init(capacity: Int, filler: Element) {
    precondition(capacity > 0, "a queue holds something")
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: filler, count: capacity)
  }

  deinit { slots.deallocate() }

  /// How many elements found no room.
  public var dropped: Int { lost.load(ordering: .relaxed) }

  /// Puts an element in, where there is room for it and `spare` more; whether it did. Neither
  /// allocates nor waits.
  @discardableResult
  public func push(_ element: Element, leaving spare: Int = 0) -> Bool {
    let at = head.load(ordering: .relaxed)
    guard at - tail.load(ordering: .acquiring) < capacity - spare else {
      lost.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    slots[at % capacity] = element
    head.store(at + 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest element out.
  public func pop() -> Element? {
    let at = tail.load(ordering: .relaxed)
    guard at < head.load(ordering: .acquiring) else { return nil }
    let element = slots[at % capacity]
    tail.store(at + 1, ordering: .releasing)
    return element
  }
}
