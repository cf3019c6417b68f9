internal import PeerCore
internal import Units

// What the network brings.
extension SimulatedHost {
  func receive(
    _ bytes: [UInt8], from: Int, line: Int, isMulticast: Bool, arrival: Int64
  ) {
    guard isRunning else {
      _ = postpone { [unowned self] in
        receive(bytes, from: from, line: line, isMulticast: isMulticast, arrival: arrival)
      }
      return
    }
    traffic.received(bytes.count)
    let (stamp, kind) = stamp(ofArrival: arrival)
    let datagram = ReceivedDatagram(
      bytes: bytes, path: network.hosts[from].paths[line], stamp: stamp, stampKind: kind,
      wasMulticast: isMulticast)
    use { node, now in node.receive(datagram, at: now) }
  }

  /// The kernel's stamp of what arrived at the true time `arrival`, brought into host time now, as
  /// the sockets do it.
  private func stamp(ofArrival arrival: Int64) -> (HostInstant, StampKind) {
    guard network.conditions.hasKernelStamps,
      let stamp = converted(clocks.unixNanoseconds(atTrueNanoseconds: arrival))
    else { return (clock, .userSpace) }
    return (stamp, .kernel)
  }

  /// A stamp of REALTIME in host time, by readings of both clocks made now, which lie a few
  /// nanoseconds apart; nothing where it cannot be told.
  func converted(_ unixNanoseconds: Int64) -> HostInstant? {
    let error = Int64(network.world.random() * 19) - 9
    let now = reading
    let sandwich = Sandwich(
      host: now.clock, otherNanoseconds: now.unixNanoseconds + error, widthNanoseconds: 18)
    return trail.host(ofOther: unixNanoseconds, now: sandwich)
  }

  func receive(_ bytes: [UInt8], on end: ConnectionEnd) {
    if postpone({ [unowned self] in receive(bytes, on: end) }) { return }
    guard isUp else { return }
    do {
      for event in try end.link.receive(bytes, generator: &generator) {
        handle(event, on: end)
      }
    } catch {
      end.close()
      closed(end)
    }
  }

  func accept(_ end: ConnectionEnd) { unnamed[ObjectIdentifier(end)] = end }

  func closed(_ end: ConnectionEnd) {
    if postpone({ [unowned self] in closed(end) }) { return }
    unnamed[ObjectIdentifier(end)] = nil
    guard let peer = end.peer, links[peer] == nil || links[peer] === end else { return }
    links[peer] = nil
    use { node, now in node.linkClosed(peer, at: now) }
  }

  private func handle(_ event: ReliableLink.Event, on end: ConnectionEnd) {
    switch event {
    case .write(let bytes): end.write(bytes)
    case .message(let message):
      guard let peer = end.peer else { return }
      use { node, now in node.linkMessage(message, from: peer, at: now) }
    case .ready(let peer, let incarnation):
      unnamed[ObjectIdentifier(end)] = nil
      guard node?.expects(PeerRun(peer: peer, incarnation: incarnation)) ?? false else {
        return end.close()
      }
      end.peer = peer
      let replaced = links[peer]
      links[peer] = end
      replaced?.close()
      use { node, now in node.linkReady(peer, incarnation: incarnation, at: now) }
    }
  }
}
