internal import CaptureEngine
internal import Control
internal import FileIO
internal import Recording
internal import Units

// What needs the disk that takes go to, which may not answer.
extension DaemonService {
  /// How long what is said of a closed take may last: its files are written to.
  static let writingPatience = Duration.seconds(14)
  /// The most orders that wait for their turn.
  static let mostTurns = 64

  /// Sees that there is room for takes.
  ///
  /// A host that is armed was looked at before, and its ring waits for the disk: it is not kept from
  /// the next take by one that does not answer at once.
  func look(_ engine: CaptureEngine) async throws -> FolderLook {
    let isArmed = engine.snapshot.state != .idle
    let patience = isArmed ? .milliseconds(500) : disks.patience(Disks.patience)
    let found = await disks.takes.value(within: patience) { engine.look() }
    // Meanwhile it may have been told to end, and its card is closed for good.
    guard !isStopped else { throw DaemonEnding() }
    if let found { return found }
    guard isArmed else { throw silence(after: patience) }
    return .none
  }

  /// The takes of the session that are closed here.
  func closedTakes(_ engine: CaptureEngine) async throws(DiskSilence) -> [TakeArchive.Entry] {
    let patience = disks.patience(Disks.patience)
    let found = await disks.takes.value(within: patience) { engine.takes() }
    guard let found else { throw silence(after: patience) }
    return found
  }

  func mark(
    _ text: String, at instant: SharedInstant, on engine: CaptureEngine
  ) async throws -> HostAnswer {
    if engine.isUnderWay(at: instant) {
      return partly(try engine.mark(text, at: instant), engine)
    }
    return partly(
      try await written(within: Disks.patience) { () throws(CaptureError) in
        try engine.mark(text, at: instant)
      }, engine)
  }

  func remark(
    _ take: TakeID, _ remarks: TakeRemarks, on engine: CaptureEngine
  ) async throws -> HostAnswer {
    if engine.isUnderWay(take) { return partly(try engine.remark(remarks, of: take), engine) }
    return partly(
      try await written { () throws(CaptureError) in try engine.remark(remarks, of: take) }, engine)
  }

  /// What is written to the files of a take that is closed.
  func written<Value: Sendable>(
    within usual: Duration = writingPatience,
    _ work: @escaping @Sendable () throws(CaptureError) -> Value
  ) async throws -> Value {
    let patience = disks.patience(usual)
    let done = await disks.remarks.value(within: patience) {
      Result { () throws(CaptureError) in try work() }
    }
    guard let done else { throw silence(after: patience) }
    return try done.get()
  }

  /// Waits until the orders before are done that change what the card does: one that looks at a disk
  /// may last, and the next must not be faster. False where too many wait already.
  func takeTurn() async -> Bool {
    guard isTurnTaken else {
      isTurnTaken = true
      return true
    }
    guard turns.count < Self.mostTurns else { return false }
    await withCheckedContinuation { turns.append($0) }
    return true
  }

  /// Lets the next order be done.
  func passTurn() {
    if turns.isEmpty { isTurnTaken = false } else { turns.removeFirst().resume() }
  }

  /// Done, or that the host has no part in it.
  func partly(_ hasPart: Bool, _ engine: CaptureEngine) -> HostAnswer {
    var answer = done(engine)
    if !hasPart { answer.outcome = .noPart }
    return answer
  }

  /// That a disk has not answered: of two the one of which that is known, for as long as it is.
  private func silence(after patience: Duration) -> DiskSilence {
    let known = disks.outputs.first { $0.silence != nil }
    return DiskSilence(
      folder: known?.folder ?? options.output, patience: max(patience, known?.silence ?? .zero))
  }
}
