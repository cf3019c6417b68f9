internal import Control
internal import Units

/// Gathers the answers to one order.
struct RollCall {
  /// Who was asked.
  let peers: Set<PeerID>
  private(set) var answers: [PeerID: HostAnswer] = [:]
  private var waiter: CheckedContinuation<Void, Never>?
  private var isOver = false

  init(peers: Set<PeerID>) { self.peers = peers }

  var isComplete: Bool { peers.allSatisfy { answers[$0] != nil } }

  /// Takes an answer in; one of a host that was not asked counts too, since it may have come late.
  mutating func take(_ answer: HostAnswer, from peer: PeerID) {
    answers[peer] = answer
    if isComplete { finish() }
  }

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
