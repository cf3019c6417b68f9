internal import Control
internal import Units

/// Gathers the answers to one order.
struct RollCall {
  /// Who was asked.
  let peers: Set<PeerID>
  private(set) var answers: [PeerID: HostAnswer] = [:]
  /// Those that were lost since they were asked.
  private var lost: Set<PeerID> = []
  private var waiter: CheckedContinuation<Void, Never>?
  private var isOver = false

  init(peers: Set<PeerID>) { self.peers = peers }

  /// Whether nobody is waited for any more: who is lost is told by every heartbeat once it is back.
  var isComplete: Bool { peers.allSatisfy { answers[$0] != nil || lost.contains($0) } }

  /// Takes an answer in; one of a host that was not asked counts too, since it may have come late.
  mutating func take(_ answer: HostAnswer, from peer: PeerID) {
    answers[peer] = answer
    if isComplete { finish() }
  }

  /// A host is not heard any more.
  mutating func lose(_ peer: PeerID) {
    lost.insert(peer)
    if isComplete { finish() }
  }

  /// A host is heard again, and may yet answer.
  mutating func hear(_ peer: PeerID) { lost.remove(peer) }

  /// Lets the waiter go on: all have answered, or the time is up.
  mutating func finish() {
    isOver = true
    waiter?.resume()
    waiter = nil
  }

  /// Registers who waits; at once, where there is nothing to wait for.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    if isOver || isComplete { continuation.resume() } else { waiter = continuation }
  }
}
