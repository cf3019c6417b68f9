public import Recording
public import Units

/// What one host asks all hosts to do, as it travels between daemons.
public struct FleetOrder: Codable, Sendable {
  /// The type of the commands that carry orders.
  public static let type = "recorder.order"

  /// What is to be done.
  public enum Action: Codable, Sendable {
    case arm(TakePlan)
    /// Begin the take; a host that is not armed with it is armed first. Where the take is for all
    /// hosts, those that come later join it.
    case start(TakePlan, t0: SharedInstant, isForAll: Bool)
    case stop(t1: SharedInstant)
    case disarm
    /// Go on in a new session: for whoever keeps the time.
    case renewSession
    /// Write on the slate.
    case slate(SessionBook.Slate)
    /// Mark an instant in the take that rolls.
    case mark(text: String, at: SharedInstant)
    /// Say something of a take.
    case remark(take: TakeID, TakeRemarks)
    /// Say in a take's files how many there are on all hosts.
    case countFiles(take: TakeID, total: Int)
    /// Tell a page of the session's takes, from 0.
    case listTakes(page: Int)
    /// Tell a page of a take's files, from 0.
    case listFiles(take: TakeID, page: Int)
    /// Tell the digest of a file of a take.
    case digest(take: TakeID, name: String)
    /// Know a host that is not heard no more.
    case forget(PeerID)
  }

  /// Which order, so that answers find it.
  public let number: UInt64
  /// The session that instants are of.
  public let session: SessionID
  public let action: Action

  /// Makes an order.
  public init(number: UInt64, session: SessionID, action: Action) {
    self.number = number
    self.session = session
    self.action = action
  }
}
