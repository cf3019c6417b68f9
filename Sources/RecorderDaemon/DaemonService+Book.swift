internal import Control
internal import FileIO
internal import PeerClock
internal import Recording
internal import Units

// What the session has agreed on.
extension DaemonService {
  /// What holds where nobody said how to count.
  static let usualTimecode = "25"

  /// The book of the session that this host is in; nothing before it is in one.
  func currentBook() -> SessionBook? {
    guard let session = clock.session?.id else { return nil }
    if let book, book.session == session { return book }
    let fresh = book?.renewed(for: session) ?? SessionBook(session: session)
    book = fresh
    return fresh
  }

  /// Changes the book, and keeps it.
  func changeBook(_ change: (inout SessionBook) -> Void) {
    guard let before = currentBook() else { return }
    var after = before
    change(&after)
    guard after != before else { return }
    book = after
    let directory = options.stateDirectory
    disks.state.add("book") { [after] in BookFile.save(after, in: directory) }
  }

  /// How timecode is counted in the session, agreed on now where it is not yet: as this host is
  /// set, else as the first of the others is that is set at all.
  func agreedTimecode(at now: SharedInstant) -> String {
    let others = reports.filter { connected[$0.key] != .disconnected }
      .sorted { ($0.value.report.label, $0.key) < ($1.value.report.label, $1.key) }
    let wanted =
      options.timecode ?? others.compactMap(\.value.report.timecode).first ?? Self.usualTimecode
    changeBook { $0.agree(.init(setting: wanted, setAt: now, by: me)) }
    return currentBook()?.timecode?.setting ?? wanted
  }

  /// What a host that counts otherwise is told when it is armed; nothing for one that does not.
  func disagreement(with plan: TakePlan) -> String? {
    let agreed = plan.timecode ?? Self.usualTimecode
    guard let own = options.timecode, own != agreed else { return nil }
    return "it is set to count timecode at \(own); the session counts \(agreed), and so do its "
      + "files; to change that: recorder session new"
  }

  /// Takes down what a plan says of the session.
  func learn(from plan: TakePlan, at now: SharedInstant, by peer: PeerID) {
    guard let timecode = plan.timecode else { return }
    changeBook { $0.agree(.init(setting: timecode, setAt: now, by: peer)) }
  }
}
