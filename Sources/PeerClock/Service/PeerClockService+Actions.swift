internal import HostClock
internal import PeerCore
internal import Units

// What the node wants done.
extension PeerClockService {
  func carryOut(_ action: PeerAction) {
    switch action {
    case .send(let bytes, let address, let token):
      transport.send(bytes, to: address, token: token)
    case .multicast(let bytes, let channel): transport.multicast(bytes, channel: channel)
    case .dial(let peer, let address): dial(peer, address)
    case .sendReliable(let peer, let message):
      if let (id, bytes) = links.send(message, to: peer) { transport.write(bytes, to: id) }
    case .hangUp(let peer): hangUp(peer)
    case .fire(let id): fire(id)
    case .readSystemTime: readSystemTime()
    case .persist(let time): keeper?.keep(time)
    case .rekey(let peer): rekey(as: peer)
    default: tell(action)
    }
  }

  /// A twin keeps the id: this host goes on under another, as a new run of somebody new.
  private func rekey(as peer: PeerID) {
    let former = node.me
    keeper?.keep(peer)
    for id in remotes.keys.sorted(by: { $0.number < $1.number }) { transport.close(id) }
    remotes = [:]
    node = node.rekeyed(as: peer, at: clock.now())
    links = LinkTable(
      cipher: node.configuration.cipher, me: peer, incarnation: node.configuration.incarnation,
      generator: links.generator)
    topics.changes.publish(.identity(peer, former: former))
    publishPeers()
  }

  /// What it gives back is done at once: it asks for no more readings.
  private func readSystemTime() {
    guard let (sandwich, discipline) = clock.disciplinedSandwich() else { return }
    for action in node.take(SystemTimeReading(sandwich, discipline), at: clock.now()) {
      carryOut(action)
    }
  }

  /// What users are to hear of.
  private func tell(_ action: PeerAction) {
    switch action {
    case .deliver(let command, let sender):
      topics.commands.publish((sender, Command(command)))
    case .peersChanged: publishPeers()
    case .connection(let peer, let liveness):
      topics.connections.publish(
        ConnectionEvent(peer: peer, state: .init(liveness), instant: clock.now()))
      publishPeers()
    case .statusChanged(let peer):
      topics.statuses.publish(PeerStatus(peer: peer, entries: node.status(of: peer)))
    case .take(let take): topics.takes.publish(take)
    case .coordinatorChanged(let coordinator):
      topics.changes.publish(.coordinator(coordinator))
      publishPeers()
    case .sessionChanged(let session, let generation):
      topics.changes.publish(.session(session, generation: generation))
    case .exchange(let exchange, let coordinator):
      topics.exchanges.publish(ClockExchange(coordinator: coordinator, exchange: exchange))
    case .abandoned(_, let peer, let reason):
      topics.changes.publish(.note("a command never reached \(peer.short): \(reason.words)"))
    case .sessionsCompared(let link): topics.changes.publish(.compared(link))
    case .note(let note): topics.changes.publish(.note(note.description))
    default: break
    }
  }

  private func dial(_ peer: PeerID, _ address: PathAddress) {
    closeOverdueLinks()
    let id = transport.connect(to: address)
    links.add(id, wanted: peer, at: clock.now())
    remotes[id] = address
  }

  private func hangUp(_ peer: PeerID) {
    guard let id = links.connection(to: peer) else { return }
    transport.close(id)
    lost(id)
  }

  /// Users' work runs on the pool: the loop has deadlines to keep.
  private func fire(_ id: AgendaID) {
    guard let action = agenda.removeValue(forKey: id) else { return }
    Task.detached(priority: .high) { await action() }
  }

  private func publishPeers() {
    var contents = readout.contents
    contents.peers = node.peers.map { Peer($0, coordinator: node.coordinator) }
    readout.publish(contents)
    topics.peers.publish(contents.peers)
  }
}
