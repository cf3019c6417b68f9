/// What is to happen, earliest first; what is due at one time happens in the order of asking.
struct EventQueue {
  struct Event {
    let nanoseconds: Int64
    let happening: Happening
  }

  /// When a happening is due, and where it is kept: numbers only, so that the heap is sorted without
  /// counting references.
  private struct Place {
    let nanoseconds: Int64
    let number: UInt64
    let slot: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.nanoseconds, one.number) < (other.nanoseconds, other.number)
    }
  }

  /// A binary heap: each place is no later than the two below it.
  private var heap: [Place] = []
  /// Nothing stands where nothing waits.
  private var happenings: [Happening?] = []
  private var free: [Int] = []
  private var lastNumber: UInt64 = 0

  var next: Int64? { heap.first?.nanoseconds }

  mutating func add(at nanoseconds: Int64, _ happening: Happening) {
    lastNumber += 1
    heap.append(Place(nanoseconds: nanoseconds, number: lastNumber, slot: keep(happening)))
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func takeNext() -> Event? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    guard let happening = happenings[first.slot].take() else { return nil }
    free.append(first.slot)
    return Event(nanoseconds: first.nanoseconds, happening: happening)
  }

  private mutating func keep(_ happening: Happening) -> Int {
    guard let slot = free.popLast() else {
      happenings.append(happening)
      return happenings.count - 1
    }
    happenings[slot] = happening
    return slot
  }

  /// Brings the first place down to where it belongs.
  private mutating func sink() {
    var place = 0
    while let child = smallerChild(of: place), heap[child] < heap[place] {
      heap.swapAt(place, child)
      place = child
    }
  }

  private func smallerChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    guard left < heap.count else { return nil }
    let right = left + 1
    return right < heap.count && heap[right] < heap[left] ? right : left
  }
}
