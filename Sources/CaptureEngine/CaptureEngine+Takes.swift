public import Recording
public import Units

// What people say of takes.
extension CaptureEngine {
  /// Whether the instant `shared` is marked in the take that rolls, which touches no disk.
  public func isUnderWay(at shared: SharedInstant) -> Bool {
    switch context.state {
    case .scheduled(_, let t0, _), .rolling(_, let t0, _): shared >= t0
    case .idle, .armed: false
    }
  }

  /// Whether the take is the one that rolls or is about to: what is said of it touches no disk.
  public func isUnderWay(_ take: TakeID) -> Bool {
    switch context.state {
    case .scheduled(let plan, _, _), .rolling(let plan, _, _): plan.id == take
    case .idle, .armed: false
    }
  }

  /// Marks the instant `shared`: in the take that rolls, where one that lies ahead is marked when it
  /// comes, or in the files of one that is closed.
  ///
  /// - Returns: whether this host has a take of that instant.
  public func mark(_ text: String, at shared: SharedInstant) throws(CaptureError) -> Bool {
    switch context.state {
    case .scheduled(_, let t0, _) where shared >= t0, .rolling(_, let t0, _) where shared >= t0:
      guard context.inbox.add(TakeInbox.Mark(text: text, shared: shared)) else {
        throw .tooManyMarks(limit: TakeInbox.mostMarks)
      }
      return true
    case .scheduled(_, let t0, _), .rolling(_, let t0, _):
      guard try markClosed(text, at: shared) else { throw .beforeTake((t0 - shared).inSeconds) }
      return true
    case .idle, .armed:
      return try markClosed(text, at: shared)
    }
  }

  private func markClosed(_ text: String, at shared: SharedInstant) throws(CaptureError) -> Bool {
    var isMarked = false
    for entry in allTakes where entry.summary.t0 <= shared && shared <= entry.summary.t1 {
      let limit = context.settings.trailerLimit
      if let closing = try TakeEditing.mark(text, at: shared, in: entry, limit: limit) {
        context.keep(closing)
        isMarked = true
      }
    }
    return isMarked
  }

  /// Takes remarks down: of the take that rolls, for when it is closed; of one that is closed, in
  /// its files' iXML and in `take.json`.
  ///
  /// - Returns: whether this host has a part in the take.
  public func remark(_ remarks: TakeRemarks, of take: TakeID) throws(CaptureError) -> Bool {
    switch context.state {
    case .scheduled(let plan, _, _), .rolling(let plan, _, _):
      if plan.id == take {
        context.inbox.add(remarks, of: take)
        return true
      }
    case .idle, .armed: break
    }
    let entries = allTakes.filter { $0.summary.take.id == take }
    for entry in entries { context.keep(try TakeEditing.remark(remarks, in: entry)) }
    return !entries.isEmpty
  }

  /// Has the files of a take say how many there are on all hosts; false where this host has no
  /// part in the take.
  public func tell(totalFiles: Int, of take: TakeID) throws(CaptureError) -> Bool {
    let entries = allTakes.filter { $0.summary.take.id == take }
    for entry in entries where entry.summary.totalFiles != totalFiles {
      context.keep(try TakeEditing.tell(totalFiles: totalFiles, in: entry))
    }
    return !entries.isEmpty
  }

  /// The session's takes that this host has closed, in order of T0.
  public func takes() -> [TakeArchive.Entry] {
    var names: Set<String> = []
    // A mirror's are the same again, but where the first folder has failed.
    return allTakes.filter { names.insert("\($0.summary.take.id) \($0.name)").inserted }
      .sorted { ($0.summary.t0, $0.path) < ($1.summary.t0, $1.path) }
  }

  /// The takes in each output folder.
  private var allTakes: [TakeArchive.Entry] {
    guard let session = context.session()?.id else { return [] }
    return context.outputs.flatMap {
      TakeArchive.takes(of: session, by: context.host.peer, in: $0)
    }
  }
}
