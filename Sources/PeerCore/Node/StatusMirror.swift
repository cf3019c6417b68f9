public import Units

/// The status boards of the peers, as far as they have been sent here.
public struct StatusMirror: Sendable {
  private struct Board: Sendable {
    let incarnation: Incarnation
    var known: UInt64 = 0
    var entries: [String: StatusMessage.Entry] = [:]
  }

  private var boards: [PeerID: Board] = [:]

  /// Begins with no boards.
  public init() {}

  /// The values by key that `peer` has set.
  public func values(of peer: PeerID) -> [String: [UInt8]] {
    boards[peer]?.entries.compactMapValues(\.value) ?? [:]
  }

  /// Up to which generation the board of `peer`'s run is known.
  public func knownGeneration(of peer: PeerID, incarnation: Incarnation) -> UInt64 {
    guard let board = boards[peer], board.incarnation == incarnation else { return 0 }
    return board.known
  }

  /// Takes in what `peer`'s run sent; whether its board is another now.
  public mutating func take(
    _ message: StatusMessage, from peer: PeerID, incarnation: Incarnation
  ) -> Bool {
    var board = boards[peer] ?? Board(incarnation: incarnation)
    var changed = false
    if board.incarnation != incarnation {
      changed = !board.entries.isEmpty
      board = Board(incarnation: incarnation)
    }
    for entry in message.entries {
      let before = board.entries[entry.key]
      if let before, before.generation >= entry.generation { continue }
      if before == nil, board.entries.count >= StatusMessage.mostKeys { continue }
      if before?.value != entry.value { changed = true }
      board.entries[entry.key] = entry.value == nil ? nil : entry
    }
    board.known = max(board.known, message.generation)
    boards[peer] = board
    return changed
  }

  /// Forgets `peer`'s board.
  public mutating func forget(_ peer: PeerID) { boards[peer] = nil }
}
