public import Units

/// What the hosts of a session have agreed on: how timecode is counted, and what is recorded now.
///
/// Every host keeps it and tells it in its status, so that whoever comes later, or was away, learns
/// it without being told. Of two slates the later holds; of two timecodes the earlier, since files
/// bear it already.
public struct SessionBook: Hashable, Sendable, Codable {
  /// What stands on the slate.
  public struct Slate: Hashable, Sendable, Codable {
    public var scene: String?
    public var project: String?
    public var tape: String?
    /// When it was written, and on which host.
    public var setAt: SharedInstant
    public var by: PeerID

    /// Makes a slate; longer texts are cut.
    public init(scene: String?, project: String?, tape: String?, setAt: SharedInstant, by: PeerID) {
      let cut = { (text: String?) in text.map { String($0.prefix(TakePlan.longestName)) } }
      self.scene = cut(scene)
      self.project = cut(project)
      self.tape = cut(tape)
      self.setAt = setAt
      self.by = by
    }

    private enum CodingKeys: String, CodingKey {
      case scene, project, tape, by
      case setAt = "set_at_shared_ns"
    }
  }

  /// How timecode is counted in the session.
  public struct Timecode: Hashable, Sendable, Codable {
    /// As `TimecodeSetting` writes it.
    public var setting: String
    public var setAt: SharedInstant
    public var by: PeerID

    /// Makes an agreement.
    public init(setting: String, setAt: SharedInstant, by: PeerID) {
      self.setting = setting
      self.setAt = setAt
      self.by = by
    }

    private enum CodingKeys: String, CodingKey {
      case setting, by
      case setAt = "set_at_shared_ns"
    }
  }

  public let session: SessionID
  public private(set) var slate: Slate?
  public private(set) var timecode: Timecode?

  /// Makes a book with nothing in it.
  public init(session: SessionID) { self.session = session }

  /// A book for another session: the slate stays, timecode is agreed on anew.
  public func renewed(for session: SessionID) -> SessionBook {
    var book = SessionBook(session: session)
    book.slate = slate
    // Whatever is written in that session is later.
    book.slate?.setAt = SharedInstant(nanoseconds: 0)
    return book
  }

  /// Writes on the slate, unless something later stands there.
  public mutating func write(_ other: Slate) {
    guard let slate, (slate.setAt, slate.by) >= (other.setAt, other.by) else {
      self.slate = other
      return
    }
  }

  /// Agrees on a timecode, unless that was done earlier.
  public mutating func agree(_ other: Timecode) {
    guard let timecode, (timecode.setAt, timecode.by) <= (other.setAt, other.by) else {
      self.timecode = other
      return
    }
  }

  /// Takes over what another host knows better, where it is of the same session.
  public mutating func learn(_ other: SessionBook) {
    guard other.session == session else { return }
    if let slate = other.slate { write(slate) }
    if let timecode = other.timecode { agree(timecode) }
  }
}
