internal import PeerCore
internal import Units

// What the node wants.
extension SimulatedHost {
  func perform(_ action: PeerAction) {
    switch action {
    case .send(let bytes, let path, let token): send(bytes, to: path, token: token)
    case .multicast(let bytes, let channel): multicast(bytes, line: channel)
    case .dial(let peer, let path): dial(peer, at: path)
    case .hangUp(let peer): links.removeValue(forKey: peer)?.close()
    case .sendReliable(let peer, let message):
      guard let end = links[peer], let bytes = end.link.send(message, generator: &generator)
      else { return }
      end.write(bytes)
    case .persist(let time): keep(time)
    case .rekey(let peer): rekey(as: peer)
    default: tell(action)
    }
  }

  private func send(_ bytes: [UInt8], to path: PathAddress, token: SendToken?) {
    traffic.sent(bytes.count)
    let departure = network.world.nanoseconds + network.sendingDelay()
    if let other = network.host(at: path), path.port == Network.datagramPort {
      network.send(
        bytes, from: number, to: other, line: Network.line(of: path), isMulticast: false,
        departure: departure)
    }
    guard let token, network.conditions.hasKernelStamps else { return }
    let called = clock
    network.world.schedule(atNanoseconds: departure + 2_000) { [self] in
      transmitted(token, departure: departure, called: called)
    }
  }

  /// The kernel gives a datagram back with the stamp of its departure.
  private func transmitted(_ token: SendToken, departure: Int64, called: HostInstant) {
    guard isRunning else {
      _ = postpone { [unowned self] in transmitted(token, departure: departure, called: called) }
      return
    }
    guard let stamp = converted(clocks.unixNanoseconds(atTrueNanoseconds: departure))
    else { return }
    let delay = stamp - called
    // As the shell's ledger has it: a stamp beyond that is of a wall clock that was set.
    guard delay >= .microseconds(-1), delay <= .milliseconds(50) else { return }
    use { node, _ in
      node.transmitted(token, stamp: stamp, kind: .kernel)
      return []
    }
  }

  private func multicast(_ bytes: [UInt8], line: Int) {
    guard network.conditions.hasMulticast else { return }
    traffic.sent(bytes.count)
    let departure = network.world.nanoseconds + network.sendingDelay()
    // The sender hears itself too, as real groups have it.
    for other in network.hosts {
      network.send(
        bytes, from: number, to: other, line: line, isMulticast: true, departure: departure)
    }
  }

  private func dial(_ peer: PeerID, at path: PathAddress) {
    let own = ReliableLink(
      role: .dialler, cipher: cipher, me: self.peer, incarnation: incarnation)
    let line = Network.line(of: path)
    let end = ConnectionEnd(host: self, network: network, link: own, peer: peer, line: line)
    let delay = 3 * network.delay(from: number, to: network.host(at: path)?.number)
    network.world.schedule(atNanoseconds: network.world.nanoseconds + delay) { [self] in
      guard isUp else { return }
      guard let other = network.host(at: path), other.isUp,
        !network.isCut(number, other.number, line: line)
      else { return closed(end) }
      accept(end)
      let far = other.listen(to: end)
      end.other = far
      end.write(end.link.start(generator: &generator))
    }
  }

  private func listen(to dialler: ConnectionEnd) -> ConnectionEnd {
    let own = ReliableLink(role: .listener, cipher: cipher, me: peer, incarnation: incarnation)
    let end = ConnectionEnd(
      host: self, network: network, link: own, peer: nil, line: dialler.line)
    end.other = dialler
    accept(end)
    return end
  }
}
