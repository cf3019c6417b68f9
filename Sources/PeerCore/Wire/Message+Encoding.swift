internal import Units

extension Message {
  /// Probes and their replies have payloads of this one length, so that both directions carry
  /// packets of equal size and neither is delayed more than the other by its length.
  static let probePayloadLength = 208

  /// The payload, before it is sealed.
  var payload: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .beacon(let beacon): writer.put(beacon)
    case .probe(let probe): writer.put(probe)
    case .probeReply(let reply): writer.put(reply)
    case .heartbeat(let heartbeat): writer.put(heartbeat)
    case .challenge(let nonce), .challengeEcho(let nonce), .hello(let nonce): writer.put(nonce)
    case .introduction(let introduction): writer.put(introduction)
    case .welcome(let nonce, let echo):
      writer.put(nonce)
      writer.put(echo)
    case .ready: break
    case .command(let command): writer.put(command)
    case .acknowledgement(let id): writer.put(id)
    case .status(let status): writer.put(status)
    case .statusRequest(let generation): writer.put(generation)
    }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ beacon: Beacon) {
    put(beacon.unicastPort)
    put(beacon.reliablePort)
    put(beacon.label)
    put(beacon.software)
    put(beacon.activity.rawValue)
    put(beacon.uptimeSeconds)
  }

  fileprivate mutating func put(_ probe: Probe) {
    put(probe.id)
    put(probe.transmit.nanoseconds)
    put(zeros: Message.probePayloadLength - bytes.count)
  }

  fileprivate mutating func put(_ reply: ProbeReply) {
    put(reply.id)
    put(reply.echoedTransmit.nanoseconds)
    put(reply.receive.nanoseconds)
    put(reply.receiveKind.rawValue)
    put(reply.transmit.nanoseconds)
    put(UInt8(reply.stamps.count))
    for stamp in reply.stamps {
      put(stamp.probe)
      put(stamp.instant.nanoseconds)
      put(stamp.kind.rawValue)
    }
    put(zeros: 13 * (ProbeReply.transmitStampSlots - reply.stamps.count))
    put(reply.term)
    put(reply.map != nil)
    if let map = reply.map { put(map) }
    put(zeros: Message.probePayloadLength - bytes.count)
  }

  fileprivate mutating func put(_ heartbeat: HeartbeatMessage) {
    put(heartbeat.term)
    put(heartbeat.hearsCoordinator)
    put(heartbeat.session != nil)
    if let session = heartbeat.session { put(session) }
    put(heartbeat.grade.rawValue)
    put(heartbeat.activity.rawValue)
    put(heartbeat.hostCount)
    put(heartbeat.rollingCount)
    put(heartbeat.tenureSeconds)
    put(heartbeat.statusGeneration)
    put(UInt8(heartbeat.takes.count))
    for take in heartbeat.takes { put(take) }
  }

  private mutating func put(_ take: TakeState) {
    put(take.session.high)
    put(take.session.low)
    put(take.id.high)
    put(take.id.low)
    put(take.number)
    put(take.name)
    put(take.t0.nanoseconds)
    put(take.t1 != nil)
    if let t1 = take.t1 { put(t1.nanoseconds) }
  }

  fileprivate mutating func put(_ introduction: Introduction) {
    put(introduction.peer.high)
    put(introduction.peer.low)
    put(counted: introduction.address)
    put(introduction.port)
  }

  fileprivate mutating func put(_ nonce: ChallengeNonce) {
    put(nonce.high)
    put(nonce.low)
  }

  fileprivate mutating func put(_ id: CommandID) {
    put(id.incarnation.count)
    put(id.incarnation.nonce)
    put(id.sequence)
  }

  fileprivate mutating func put(_ command: CommandMessage) {
    put(command.id)
    put(command.type)
    put(command.expires != nil)
    if let expires = command.expires { put(expires.nanoseconds) }
    put(counted: command.payload)
  }

  fileprivate mutating func put(_ status: StatusMessage) {
    put(status.generation)
    put(UInt16(status.entries.count))
    for entry in status.entries {
      put(entry.key)
      put(entry.generation)
      put(entry.value != nil)
      if let value = entry.value { put(counted: value) }
    }
  }

  private mutating func put(_ term: Term?) {
    put(term != nil)
    guard let term else { return }
    put(term.counter)
    put(term.peer.high)
    put(term.peer.low)
  }

  private mutating func put(_ session: Session) {
    put(session.id.high)
    put(session.id.low)
    put(session.anchor.nanoseconds)
    put(session.anchorUnixNanoseconds)
    put(session.anchorErrorNanoseconds)
    put(session.utcOffsetSeconds)
    put(session.previous != nil)
    if let previous = session.previous {
      put(previous.high)
      put(previous.low)
    }
  }

  private mutating func put(_ map: ClockMap) {
    put(map.session.high)
    put(map.session.low)
    put(map.generation)
    put(map.hostAnchor.nanoseconds)
    put(map.sharedAnchor.nanoseconds)
    put(map.skew.fraction)
    put(map.jitterBoundNanoseconds)
    put(map.pathLimitNanoseconds)
    put(map.boundGrowth.fraction)
  }
}
