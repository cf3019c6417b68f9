public import Units

/// Sends commands until they are acknowledged, and lets each that arrives have its effect once.
///
/// To one peer commands travel in the order of their numbers, on whatever link there is; a new
/// link begins with all that were not acknowledged on the old. So the receiver need only remember
/// the highest number that it has taken of each run.
public struct CommandDesk: Sendable {
  /// What is to be done.
  public enum Action: Hashable, Sendable {
    case transmit(CommandMessage, to: PeerID)
    case abandon(CommandID, to: PeerID, reason: CommandFailure)
  }

  private let incarnation: Incarnation
  private let limit: Int
  private var lastSequence: UInt64 = 0
  private var pending: [PeerID: [CommandMessage]] = [:]
  private var links: Set<PeerID> = []
  private var taken = TakenCommands()

  /// Makes the desk of one run, which keeps up to `limit` commands for each peer.
  public init(incarnation: Incarnation, limit: Int) {
    self.incarnation = incarnation
    self.limit = limit
  }

  /// How many commands wait for `peer`'s acknowledgement.
  public func pendingCount(for peer: PeerID) -> Int { pending[peer]?.count ?? 0 }

  /// The earliest expiry of a command that waits.
  public var nextExpiry: SharedInstant? {
    pending.isEmpty ? nil : pending.values.joined().lazy.compactMap(\.expires).min()
  }

  /// Issues a command to each of `peers`; all of them take it or none does.
  public mutating func issue(
    type: String, payload: [UInt8], expires: SharedInstant?, to peers: [PeerID]
  ) throws(PeerNodeError) -> (id: CommandID, actions: [Action]) {
    guard !type.isEmpty else { throw .emptyType }
    guard type.utf8.count <= CommandMessage.longestType else {
      throw .typeTooLong(bytes: type.utf8.count)
    }
    guard payload.count <= CommandMessage.longestPayload else {
      throw .payloadTooLong(bytes: payload.count)
    }
    for peer in peers where pendingCount(for: peer) >= limit {
      throw .tooManyPending(peer, limit: limit)
    }
    lastSequence += 1
    let command = CommandMessage(
      id: CommandID(incarnation: incarnation, sequence: lastSequence), type: type,
      payload: payload, expires: expires)
    var actions: [Action] = []
    for peer in peers.sorted() {
      pending[peer, default: []].append(command)
      if links.contains(peer) { actions.append(.transmit(command, to: peer)) }
    }
    return (command.id, actions)
  }

  /// Takes note that there is a link to `peer`: what it has not acknowledged goes out.
  public mutating func linkOpened(to peer: PeerID) -> [Action] {
    links.insert(peer)
    return (pending[peer] ?? []).map { .transmit($0, to: peer) }
  }

  /// Takes note that the link to `peer` is gone.
  public mutating func linkClosed(to peer: PeerID) { links.remove(peer) }

  /// Takes in an acknowledgement; whether it was waited for.
  public mutating func acknowledged(_ id: CommandID, by peer: PeerID) -> Bool {
    guard let place = pending[peer]?.firstIndex(where: { $0.id == id }) else { return false }
    pending[peer]?.remove(at: place)
    if pending[peer]?.isEmpty ?? false { pending[peer] = nil }
    return true
  }

  /// Takes in a command of `peer`'s run `incarnation`; whether it is to have its effect.
  public mutating func accepts(
    _ command: CommandMessage, from peer: PeerID, incarnation: Incarnation
  ) -> Bool {
    guard command.id.incarnation == incarnation else { return false }
    return taken.take(command.id.sequence, of: PeerRun(peer: peer, incarnation: incarnation))
  }

  /// Gives up on what waits for `peer`. Its link may outlive its silence: that is not taken off.
  public mutating func lost(_ peer: PeerID) -> [Action] {
    (pending.removeValue(forKey: peer) ?? []).map {
      .abandon($0.id, to: peer, reason: .peerLost)
    }
  }

  /// Forgets `peer`; but not which commands of it have had their effect.
  public mutating func forget(_ peer: PeerID) -> [Action] {
    links.remove(peer)
    return lost(peer)
  }

  /// Gives up on what has expired when shared time reads `now`.
  public mutating func expire(at now: SharedInstant) -> [Action] {
    guard nextExpiry.map({ $0 <= now }) ?? false else { return [] }
    var actions: [Action] = []
    for peer in pending.keys.sorted() {
      let expired = (pending[peer] ?? []).filter { $0.expires.map { $0 <= now } ?? false }
      pending[peer]?.removeAll { expired.contains($0) }
      if pending[peer]?.isEmpty ?? false { pending[peer] = nil }
      actions += expired.map { .abandon($0.id, to: peer, reason: .expired) }
    }
    return actions
  }
}
