internal import PeerCore
internal import Units

extension Command {
  /// The user's view of a command that arrived.
  init(_ message: CommandMessage) {
    self.init(type: message.type, payload: message.payload, expires: message.expires)
  }
}

extension PeerClockError {
  /// What a node refused to its user, in this module's words.
  init(_ error: PeerNodeError) {
    self =
      switch error {
      case .unknownPeer(let peer): .noSuchPeer(id: peer.description)
      default: .refused(reason: error.description)
      }
  }
}

extension CommandFailure {
  /// Why a command was given up, in words.
  var words: String {
    switch self {
    case .expired: "its time had passed"
    case .peerLost: "the peer was lost"
    }
  }
}

extension ConnectionEvent.State {
  init(_ liveness: Liveness) {
    self =
      switch liveness {
      case .connected: .connected
      case .degraded: .degraded
      case .disconnected: .disconnected
      }
  }
}

extension Peer {
  init(_ summary: PeerSummary, coordinator: PeerID?) {
    self.init(
      id: summary.peer, label: summary.label, software: summary.software,
      state: .init(summary.liveness), isCoordinator: summary.peer == coordinator)
  }
}
