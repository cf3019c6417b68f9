internal import Units

extension PeerNode {
  /// The most introductions that go out with one beacon.
  static let mostIntroductions = 16

  /// Tells those from whom no multicast comes of one another: with each beacon each of them of one
  /// other, so that in time they all know all. Whoever knows several does so: before they know one
  /// another they do not agree on a coordinator either.
  mutating func introduce(at now: HostInstant) -> [PeerAction] {
    let deaf = peersWithoutMulticast(at: now).sorted().filter {
      heartbeat.liveness(of: $0) == .connected
    }
    guard deaf.count > 1 else { return [] }
    introductionRound += 1
    let distance = 1 + introductionRound % (deaf.count - 1)
    let first = introductionRound * Self.mostIntroductions % deaf.count
    return (0..<min(deaf.count, Self.mostIntroductions)).compactMap { step in
      let place = (first + step) % deaf.count
      let other = deaf[(place + distance) % deaf.count]
      guard let to = peersByID[deaf[place]]?.path, let path = peersByID[other]?.path else {
        return nil
      }
      // Such an address means nothing on another link.
      if path.isLinkLocal6 && path.interface != to.interface { return nil }
      let introduction = Introduction(peer: other, address: path.address, port: path.port)
      return unicast(.introduction(introduction), to: to)
    }
  }

  /// Says where this host is to whomever was introduced, unless it is known: the rest follows.
  mutating func meet(
    _ introduction: Introduction, on path: PathAddress, at now: HostInstant
  ) -> [PeerAction] {
    guard introduction.peer != me,
      peersByID[introduction.peer] == nil
        || heartbeat.liveness(of: introduction.peer) == .disconnected
    else { return [] }
    let named = PathAddress(
      interface: path.interface, address: introduction.address, port: introduction.port)
    let place = named.isLinkLocal6 ? named : named.anywhere
    return [unicast(.beacon(beacon(at: now)), to: place)]
  }
}
