internal import PeerCore
internal import Units

/// Everything that a clock publishes.
final class ClockTopics: Sendable {
  /// The peers as they are now.
  let peers = Topic<[Peer]>(.current { $0 = [$1] }, newestOnly: true)
  let commands = Topic<(PeerID, Command)>(.backlog)
  let connections = Topic<ConnectionEvent>(.backlog)
  let exchanges = Topic<ClockExchange>(.backlog)
  let changes = Topic<ClockChange>(.backlog)
  /// The newest status of each peer; a late consumer gets them all first.
  let statuses = Topic<PeerStatus>(
    .current { known, new in
      known.removeAll { $0.peer == new.peer }
      known.append(new)
      if known.count > mostStatuses { known.removeFirst() }
    })

  /// What is known of each of the latest takes; a late consumer gets them all first.
  let takes = Topic<TakeState>(
    .current { known, new in
      known.removeAll { $0.id == new.id }
      known.append(new)
      if known.count > mostTakes { known.removeFirst() }
    })

  private static let mostStatuses = 256
  private static let mostTakes = 16

  /// How many elements consumers that did not keep up have lost.
  var dropped: UInt64 {
    commands.dropped + connections.dropped + exchanges.dropped + changes.dropped
      + statuses.dropped + takes.dropped
  }

  func finish() {
    peers.finish()
    commands.finish()
    connections.finish()
    exchanges.finish()
    changes.finish()
    statuses.finish()
    takes.finish()
  }
}
