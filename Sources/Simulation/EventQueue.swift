/// What is to happen, earliest first; what is due at one time happens in the order of asking.
struct EventQueue {
  struct Event {
    let nanoseconds: Int64
    let number: UInt64
    let action: () -> Void

    static func < (one: Event, other: Event) -> Bool {
      (one.nanoseconds, one.number) < (other.nanoseconds, other.number)
    }
  }

  /// A binary heap: each event is no later than the two below it.
  private var heap: [Event] = []
  private var lastNumber: UInt64 = 0

  var next: Int64? { heap.first?.nanoseconds }

  mutating func add(at nanoseconds: Int64, _ action: @escaping () -> Void) {
    lastNumber += 1
    heap.append(Event(nanoseconds: nanoseconds, number: lastNumber, action: action))
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func takeNext() -> Event? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var place = 0
    while let child = smallerChild(of: place), heap[child] < heap[place] {
      heap.swapAt(place, child)
      place = child
    }
    return first
  }

  private func smallerChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    guard left < heap.count else { return nil }
    let right = left + 1
    return right < heap.count && heap[right] < heap[left] ? right : left
  }
}
