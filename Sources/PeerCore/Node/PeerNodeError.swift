public import Units

/// What a node refuses to its own user.
public enum PeerNodeError: Error, Hashable, Sendable, CustomStringConvertible {
  case emptyType
  case typeTooLong(bytes: Int)
  case payloadTooLong(bytes: Int)
  case unknownPeer(PeerID)
  /// The peer has not acknowledged so many commands that no more are kept for it.
  case tooManyPending(PeerID, limit: Int)
  case keyTooLong(bytes: Int)
  case emptyKey
  case valueTooLong(bytes: Int)
  case tooManyKeys(limit: Int)
  case agendaFull(limit: Int)
  /// Only whoever keeps the time can do it.
  case notCoordinator
  /// A host is armed or rolling.
  case busy(PeerID)
  /// Shared time comes from the system's clock, whose session follows from the configuration.
  case timeIsTheSystems
  /// There is no shared time yet.
  case unsynchronized

  public var description: String {
    switch self {
    case .emptyType: "a command has a type"
    case .typeTooLong(let bytes):
      "a command's type has \(CommandMessage.longestType) bytes at most, not \(bytes)"
    case .payloadTooLong(let bytes):
      "a command's payload has \(CommandMessage.longestPayload) bytes at most, not \(bytes)"
    case .unknownPeer(let peer): "there is no peer \(peer.short)"
    case .tooManyPending(let peer, let limit):
      "\(peer.short) has left \(limit) commands unacknowledged; no more are kept for it"
    case .keyTooLong(let bytes):
      "a status key has \(StatusMessage.longestKey) bytes at most, not \(bytes)"
    case .emptyKey: "a status entry has a key"
    case .valueTooLong(let bytes):
      "a status value has \(StatusMessage.longestValue) bytes at most, not \(bytes)"
    case .tooManyKeys(let limit): "a status board has \(limit) keys at most"
    case .agendaFull(let limit): "at most \(limit) actions are scheduled at once"
    case .notCoordinator: "only the host that keeps the time can begin a session"
    case .busy(let peer):
      "\(peer.short) is armed or rolling; a session is renewed when all are idle"
    case .timeIsTheSystems:
      "time is the system's: its session follows from group, anchor and offset, and is never renewed"
    case .unsynchronized: "shared time is not known yet"
    }
  }
}
