internal import EventLoop
internal import HostClock
internal import PeerCore
internal import Synchronization
internal import Units

// What comes in.
extension PeerClockService {
  func handle(_ event: TransportEvent) {
    guard !isStopped else { return }
    switch event {
    case .datagram(let datagram): receive(datagram)
    case .sent(let token, let stamp, let kind):
      turn { node, _ in
        node.transmitted(token, stamp: stamp, kind: kind)
        return []
      }
    case .channels(let count):
      turn { node, _ in
        node.setChannels(count)
        return []
      }
    case .accepted(let id, let remote):
      links.add(id, wanted: nil, from: remote, at: clock.now())
      remotes[id] = remote
      closeOverdueLinks()
    case .connected(let id):
      if let bytes = links.start(id) { transport.write(bytes, to: id) }
    case .received(let id, let bytes): receive(bytes, on: id)
    case .closed(let id): lost(id)
    }
  }

  /// What was refused changes nothing but a count: whoever floods this host with forged packets is
  /// to have as little of its time as can be.
  private func receive(_ datagram: ReceivedDatagram) {
    let before = node.refusals.total
    let isNothing = { (node: PeerNode) in node.refusals.total > before }
    turn(unlessNothing: isNothing) { node, now in node.receive(datagram, at: now) }
  }

  private func receive(_ bytes: [UInt8], on id: ConnectionID) {
    do throws(WireRefusal) {
      for outcome in try links.receive(bytes, on: id, expecting: { node.expects($0) }) {
        take(outcome, on: id)
      }
    } catch {
      linkRefusals.count(error)
      if error == .wrongKeyOrForged, let remote = remotes[id] { wrongKeys.count(remote) }
      transport.close(id)
      lost(id)
    }
  }

  private func take(_ outcome: LinkTable.Outcome, on id: ConnectionID) {
    switch outcome {
    case .write(let bytes): transport.write(bytes, to: id)
    case .message(let peer, let message):
      turn { node, now in node.linkMessage(message, from: peer, at: now) }
    case .ready(let peer, let incarnation, let replaced):
      if let replaced {
        transport.close(replaced)
        remotes[replaced] = nil
        _ = links.remove(replaced)
      }
      turn { node, now in node.linkReady(peer, incarnation: incarnation, at: now) }
    }
  }

  func lost(_ id: ConnectionID) {
    remotes[id] = nil
    guard let peer = links.remove(id) else { return }
    turn { node, now in node.linkClosed(peer, at: now) }
  }

  /// Closes what takes too long to become a link, and what is too many of its kind.
  func closeOverdueLinks() {
    for id in links.overdue(at: clock.now()) {
      transport.close(id)
      lost(id)
    }
  }
}

/// Leads what a transport has to tell to the service, which is made after the transport was opened.
final class EventRelay: Sendable {
  private struct Target {
    weak var service: PeerClockService?
  }

  private let target = Mutex(Target())

  func lead(to service: PeerClockService) { target.withLock { $0.service = service } }

  func pass(_ event: TransportEvent) {
    guard let service = target.withLock({ $0.service }) else { return }
    service.assumeIsolated { $0.handle(event) }
  }
}
