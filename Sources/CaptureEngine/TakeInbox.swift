internal import Recording
internal import Synchronization
internal import Units

/// What people say of takes, on its way to the files.
final class TakeInbox: Sendable {
  /// The most marks that wait for their instants.
  static let mostMarks = 1000
  /// The most takes whose remarks are kept for when they are closed.
  static let mostTakes = 16

  struct Mark: Hashable, Sendable {
    let text: String
    let shared: SharedInstant
  }

  private struct Content {
    var marks: [Mark] = []
    var remarks: [(take: TakeID, remarks: TakeRemarks)] = []
    var coordinator: TimingLogCoordinator?
  }

  private let content = Mutex(Content())

  /// Whose clock is the measure now, for the next take's log.
  var coordinator: TimingLogCoordinator? { content.withLock { $0.coordinator } }

  func note(_ coordinator: TimingLogCoordinator) {
    content.withLock { $0.coordinator = coordinator }
  }

  /// Takes a mark in; false where too many wait.
  func add(_ mark: Mark) -> Bool {
    content.withLock { content in
      guard content.marks.count < Self.mostMarks else { return false }
      content.marks.append(mark)
      return true
    }
  }

  /// The marks whose instants have come, in their order; they wait no more.
  func takeMarks(upTo now: SharedInstant) -> [Mark] {
    content.withLock { content in
      let due = content.marks.filter { $0.shared <= now }
      content.marks.removeAll { $0.shared <= now }
      return due.sorted { ($0.shared, $0.text) < ($1.shared, $1.text) }
    }
  }

  /// Marks that nobody will place any more: the take has ended.
  func dropMarks() { content.withLock { $0.marks = [] } }

  func add(_ remarks: TakeRemarks, of take: TakeID) {
    content.withLock { content in
      let before = content.remarks.first { $0.take == take }?.remarks ?? TakeRemarks()
      content.remarks.removeAll { $0.take == take }
      content.remarks = content.remarks.suffix(Self.mostTakes - 1)
      content.remarks.append((take, before.merged(with: remarks)))
    }
  }

  func remarks(of take: TakeID) -> TakeRemarks {
    content.withLock { content in
      content.remarks.first { $0.take == take }?.remarks ?? TakeRemarks()
    }
  }
}
