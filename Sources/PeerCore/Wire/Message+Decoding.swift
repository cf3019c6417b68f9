internal import Units

extension Message {
  /// Reads the payload of a message of `category`.
  init(
    _ category: WireHeader.Category, payload: ArraySlice<UInt8>
  ) throws(WireRefusal) {
    var reader = ByteReader(payload)
    if category == .probe || category == .probeReply {
      // Of another length it would be delayed otherwise than its counterpart.
      guard payload.count == Message.probePayloadLength else { throw .malformed(field: "length") }
    }
    switch category {
    case .beacon: self = .beacon(try reader.takeBeacon())
    case .probe: self = .probe(try reader.takeProbe())
    case .probeReply: self = .probeReply(try reader.takeProbeReply())
    case .heartbeat: self = .heartbeat(try reader.takeHeartbeat())
    case .challenge: self = .challenge(try reader.takeNonce())
    case .challengeEcho: self = .challengeEcho(try reader.takeNonce())
    case .introduction: self = .introduction(try reader.takeIntroduction())
    case .hello: self = .hello(try reader.takeNonce())
    case .welcome:
      self = .welcome(nonce: try reader.takeNonce(), echo: try reader.takeNonce())
    case .ready: self = .ready
    case .command: self = .command(try reader.takeCommand())
    case .acknowledgement: self = .acknowledgement(try reader.takeCommandID())
    case .status: self = .status(try reader.takeStatus())
    case .statusRequest:
      self = .statusRequest(knownGeneration: try reader.take(UInt64.self, "generation"))
    }
    try reader.expectEnd()
  }
}

extension ByteReader {
  fileprivate mutating func takeBeacon() throws(WireRefusal) -> Beacon {
    Beacon(
      unicastPort: try take(UInt16.self, "unicast port"),
      reliablePort: try take(UInt16.self, "reliable port"),
      label: try takeText("label", upTo: Beacon.longestLabel),
      software: try takeText("software", upTo: Beacon.longestSoftware),
      activity: try takeActivity(), uptimeSeconds: try take(UInt32.self, "uptime"))
  }

  fileprivate mutating func takeProbe() throws(WireRefusal) -> Probe {
    let probe = Probe(
      id: try take(UInt32.self, "probe id"), transmit: try takeHostInstant("transmit"))
    try takePadding()
    return probe
  }

  fileprivate mutating func takeProbeReply() throws(WireRefusal) -> ProbeReply {
    let id = try take(UInt32.self, "probe id")
    let echoed = try takeHostInstant("echoed transmit")
    let receive = try takeHostInstant("receive")
    let receiveKind = try takeStampKind("receive kind")
    let transmit = try takeHostInstant("transmit")
    let count = Int(try take(UInt8.self, "stamps"))
    guard count <= ProbeReply.transmitStampSlots else { throw .malformed(field: "stamps") }
    var stamps: [ProbeReply.TransmitStamp] = []
    for _ in 0..<count {
      stamps.append(
        ProbeReply.TransmitStamp(
          probe: try take(UInt32.self, "stamp"), instant: try takeHostInstant("stamp"),
          kind: try takeStampKind("stamp")))
    }
    try skip(13 * (ProbeReply.transmitStampSlots - count), "stamps")
    let term = try takeTerm()
    let map = try takeBool("map") ? try takeMap() : nil
    try takePadding()
    return ProbeReply(
      id: id, echoedTransmit: echoed, receive: receive, receiveKind: receiveKind,
      transmit: transmit, stamps: stamps, term: term, map: map)
  }

  fileprivate mutating func takeHeartbeat() throws(WireRefusal) -> HeartbeatMessage {
    let term = try takeTerm()
    let hears = try takeBool("hears coordinator")
    let session = try takeBool("session") ? try takeSession() : nil
    guard let grade = TimeGrade(rawValue: try take(UInt8.self, "grade")) else {
      throw .malformed(field: "grade")
    }
    let activity = try takeActivity()
    return HeartbeatMessage(
      term: term, hearsCoordinator: hears, session: session, grade: grade, activity: activity,
      hostCount: try take(UInt16.self, "hosts"), rollingCount: try take(UInt16.self, "rolling"),
      tenureSeconds: try take(UInt32.self, "tenure"),
      statusGeneration: try take(UInt64.self, "generation"), takes: try takeTakes())
  }

  private mutating func takeActivity() throws(WireRefusal) -> Activity {
    let activity = try take(UInt8.self, "activity")
    guard let activity = Activity(rawValue: activity) else { throw .malformed(field: "activity") }
    return activity
  }

  private mutating func takeTakes() throws(WireRefusal) -> [TakeState] {
    let count = Int(try take(UInt8.self, "takes"))
    guard count <= HeartbeatMessage.mostTakes else { throw .malformed(field: "takes") }
    var takes: [TakeState] = []
    for _ in 0..<count {
      takes.append(
        TakeState(
          session: SessionID(
            high: try take(UInt64.self, "take"), low: try take(UInt64.self, "take")),
          id: TakeID(high: try take(UInt64.self, "take"), low: try take(UInt64.self, "take")),
          number: try take(UInt32.self, "take"),
          name: try takeText("take's name", upTo: TakeState.longestName),
          t0: try takeSharedInstant("T0"),
          t1: try takeBool("T1") ? try takeSharedInstant("T1") : nil))
    }
    return takes
  }

  fileprivate mutating func takeIntroduction() throws(WireRefusal) -> Introduction {
    let peer = PeerID(high: try take(UInt64.self, "peer"), low: try take(UInt64.self, "peer"))
    let address = try takeCounted("address", upTo: PathAddress.longestAddress)
    guard address.count == 4 || address.count == PathAddress.longestAddress else {
      throw .malformed(field: "address")
    }
    return Introduction(
      peer: peer, address: address, port: try take(UInt16.self, "port"))
  }

  fileprivate mutating func takeNonce() throws(WireRefusal) -> ChallengeNonce {
    ChallengeNonce(high: try take(UInt64.self, "nonce"), low: try take(UInt64.self, "nonce"))
  }

  fileprivate mutating func takeCommandID() throws(WireRefusal) -> CommandID {
    CommandID(
      incarnation: Incarnation(
        count: try take(UInt32.self, "command"), nonce: try take(UInt32.self, "command")),
      sequence: try take(UInt64.self, "command"))
  }

  fileprivate mutating func takeCommand() throws(WireRefusal) -> CommandMessage {
    CommandMessage(
      id: try takeCommandID(),
      type: try takeText("type", upTo: CommandMessage.longestType),
      payloadBehind: try takeBool("expiry") ? try takeSharedInstant("expiry") : nil,
      payload: try takeCounted("payload", upTo: CommandMessage.longestPayload))
  }

  fileprivate mutating func takeStatus() throws(WireRefusal) -> StatusMessage {
    let generation = try take(UInt64.self, "generation")
    let count = Int(try take(UInt16.self, "entries"))
    guard count <= StatusMessage.mostKeys else { throw .malformed(field: "entries") }
    var entries: [StatusMessage.Entry] = []
    for _ in 0..<count {
      let key = try takeText("key", upTo: StatusMessage.longestKey)
      let changed = try take(UInt64.self, "generation")
      let value =
        try takeBool("value")
        ? try takeCounted("value", upTo: StatusMessage.longestValue) : nil
      entries.append(StatusMessage.Entry(key: key, generation: changed, value: value))
    }
    return StatusMessage(generation: generation, entries: entries)
  }

  private mutating func takeTerm() throws(WireRefusal) -> Term? {
    guard try takeBool("term") else { return nil }
    let counter = try take(UInt64.self, "term")
    guard counter <= Term.greatestCounter else { throw .malformed(field: "term") }
    return Term(
      counter: counter,
      peer: PeerID(high: try take(UInt64.self, "term"), low: try take(UInt64.self, "term")))
  }

  private mutating func takeSession() throws(WireRefusal) -> Session {
    let id = SessionID(
      high: try take(UInt64.self, "session"), low: try take(UInt64.self, "session"))
    let anchor = try takeSharedInstant("anchor")
    return Session(
      id: id, anchor: anchor,
      anchorUnixNanoseconds: try takeNanoseconds("civil time", within: 0...SharedInstant.limit),
      anchorErrorNanoseconds: try takeBound("anchor error"),
      utcOffsetSeconds: try takeOffset(),
      previous: try takeBool("previous session")
        ? SessionID(
          high: try take(UInt64.self, "previous session"),
          low: try take(UInt64.self, "previous session")) : nil)
  }

  /// An offset from UTC within ±18 h, which holds all there ever were.
  private mutating func takeOffset() throws(WireRefusal) -> Int32 {
    let offset = try take(Int32.self, "offset from UTC")
    guard (-64_800...64_800).contains(offset) else { throw .malformed(field: "offset from UTC") }
    return offset
  }

  private mutating func takeMap() throws(WireRefusal) -> ClockMap {
    ClockMap(
      session: SessionID(high: try take(UInt64.self, "map"), low: try take(UInt64.self, "map")),
      generation: try take(UInt32.self, "map"), hostAnchor: try takeHostInstant("map"),
      sharedAnchor: try takeSharedInstant("map"),
      // No oscillator of a working machine is off by a thousandth.
      skew: ClockRate(fraction: try takeDouble("skew", within: -1e-3...1e-3)),
      jitterBoundNanoseconds: try takeBound("jitter bound"),
      pathLimitNanoseconds: try takeBound("path limit"),
      boundGrowth: ClockRate(fraction: try takeDouble("growth", within: 0...1)))
  }

  /// Padding is ignored, so that a later version may use it.
  private mutating func takePadding() throws(WireRefusal) { try skip(remaining, "padding") }

  private mutating func takeStampKind(_ field: StaticString) throws(WireRefusal) -> StampKind {
    guard let kind = StampKind(rawValue: try take(UInt8.self, field)) else {
      throw .malformed(field: "\(field)")
    }
    return kind
  }

  private mutating func takeNanoseconds(
    _ field: StaticString, within range: ClosedRange<Int64>
  ) throws(WireRefusal) -> Int64 {
    let value = try take(Int64.self, field)
    guard range.contains(value) else { throw .malformed(field: "\(field)") }
    return value
  }

  /// A time within ±2^60 ns, some 36 years: a sum of several such, as when a map is applied,
  /// stays within what an instant may be, whatever a peer sends.
  private mutating func takeTime(_ field: StaticString) throws(WireRefusal) -> Int64 {
    try takeNanoseconds(field, within: -(1 << 60)...1 << 60)
  }

  /// A bound of 0 to some 36 years.
  private mutating func takeBound(_ field: StaticString) throws(WireRefusal) -> Int64 {
    try takeNanoseconds(field, within: 0...1 << 60)
  }

  private mutating func takeHostInstant(_ field: StaticString) throws(WireRefusal) -> HostInstant {
    HostInstant(nanoseconds: try takeTime(field))
  }

  private mutating func takeSharedInstant(
    _ field: StaticString
  ) throws(WireRefusal) -> SharedInstant {
    SharedInstant(nanoseconds: try takeTime(field))
  }
}

extension CommandMessage {
  /// The order of the arguments is the order of the fields on the wire.
  fileprivate init(
    id: CommandID, type: String, payloadBehind expires: SharedInstant?, payload: [UInt8]
  ) {
    self.init(id: id, type: type, payload: payload, expires: expires)
  }
}
