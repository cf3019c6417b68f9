public import Units

/// "Here I am": by multicast, or to addresses that were given.
public struct Beacon: Hashable, Sendable {
  /// The longest label, in bytes of UTF-8.
  public static let longestLabel = 64
  /// The longest name of a program, in bytes of UTF-8.
  public static let longestSoftware = 32

  /// The port on which the sender takes datagrams.
  public let unicastPort: UInt16
  /// The port on which the sender takes reliable links.
  public let reliablePort: UInt16
  public let label: String
  /// The program and its version, such as `recorder 0.1`.
  public let software: String

  /// Makes a beacon; longer texts are cut to their limits.
  public init(unicastPort: UInt16, reliablePort: UInt16, label: String, software: String) {
    self.unicastPort = unicastPort
    self.reliablePort = reliablePort
    self.label = label.cut(toUTF8: Self.longestLabel)
    self.software = software.cut(toUTF8: Self.longestSoftware)
  }
}

/// "What time is it with you?"
public struct Probe: Hashable, Sendable {
  public let id: UInt32
  /// When it was sent, by the sender's program, in the sender's host time.
  public let transmit: HostInstant

  /// Makes a probe.
  public init(id: UInt32, transmit: HostInstant) {
    self.id = id
    self.transmit = transmit
  }
}

/// The answer to a probe, with the kernel's stamps of earlier answers.
public struct ProbeReply: Hashable, Sendable {
  /// When an earlier reply left, which was not known yet when it did.
  public struct TransmitStamp: Hashable, Sendable {
    /// The probe that the earlier reply answered.
    public let probe: UInt32
    /// When that reply left, in the replier's host time.
    public let instant: HostInstant
    public let kind: StampKind

    /// Makes a stamp.
    public init(probe: UInt32, instant: HostInstant, kind: StampKind) {
      self.probe = probe
      self.instant = instant
      self.kind = kind
    }
  }

  /// The number of earlier replies that a reply has room for.
  public static let transmitStampSlots = 4

  public let id: UInt32
  /// The probe's own `transmit`, given back.
  public let echoedTransmit: HostInstant
  /// When the probe arrived, in the replier's host time.
  public let receive: HostInstant
  public let receiveKind: StampKind
  /// When this reply was sent, by the replier's program, in its host time.
  public let transmit: HostInstant
  /// Kernel stamps of up to four earlier replies to the same peer.
  public let stamps: [TransmitStamp]
  /// The replier's term, if it knows of one.
  public let term: Term?
  /// The replier's own map from its host time to shared time, if it has one.
  public let map: ClockMap?

  /// Makes a reply; of more than four stamps the last four are kept.
  public init(
    id: UInt32, echoedTransmit: HostInstant, receive: HostInstant, receiveKind: StampKind,
    transmit: HostInstant, stamps: [TransmitStamp], term: Term?, map: ClockMap?
  ) {
    self.id = id
    self.echoedTransmit = echoedTransmit
    self.receive = receive
    self.receiveKind = receiveKind
    self.transmit = transmit
    self.stamps = Array(stamps.suffix(Self.transmitStampSlots))
    self.term = term
    self.map = map
  }
}

/// "I live, and this is what I hold for true": sent all the time to every peer.
public struct HeartbeatMessage: Hashable, Sendable {
  /// The highest term that the sender knows; it names the coordinator.
  public let term: Term?
  public let session: Session?
  public let activity: Activity
  /// How many hosts the sender hears, itself included.
  public let hostCount: UInt16
  /// How many of those roll, itself included.
  public let rollingCount: UInt16
  /// How long the sender has been coordinator, in seconds; 0 when it is not.
  public let tenureSeconds: UInt32
  /// How often the sender's status board has changed.
  public let statusGeneration: UInt64

  /// Makes a heartbeat.
  public init(
    term: Term?, session: Session?, activity: Activity, hostCount: UInt16, rollingCount: UInt16,
    tenureSeconds: UInt32, statusGeneration: UInt64
  ) {
    self.term = term
    self.session = session
    self.activity = activity
    self.hostCount = hostCount
    self.rollingCount = rollingCount
    self.tenureSeconds = tenureSeconds
    self.statusGeneration = statusGeneration
  }
}

/// 128 random bits, which only a living peer can give back.
public struct ChallengeNonce: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  /// Draws a nonce.
  public init(from generator: inout some RandomNumberGenerator) {
    high = generator.next()
    low = generator.next()
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// Which command: the sender's run and a number.
public struct CommandID: Hashable, Comparable, Sendable {
  public let incarnation: Incarnation
  public let sequence: UInt64

  /// Makes the id of a sender's command.
  public init(incarnation: Incarnation, sequence: UInt64) {
    self.incarnation = incarnation
    self.sequence = sequence
  }

  public static func < (one: CommandID, other: CommandID) -> Bool {
    (one.incarnation.count, one.incarnation.nonce, one.sequence)
      < (other.incarnation.count, other.incarnation.nonce, other.sequence)
  }
}

/// Something to be done, once.
public struct CommandMessage: Hashable, Sendable {
  /// The longest type, in bytes of UTF-8.
  public static let longestType = 64
  /// The longest payload, in bytes.
  public static let longestPayload = 60 * 1024

  public let id: CommandID
  public let type: String
  public let payload: [UInt8]
  /// After this shared instant the command is void.
  public let expires: SharedInstant?

  /// Makes a command.
  public init(id: CommandID, type: String, payload: [UInt8], expires: SharedInstant?) {
    self.id = id
    self.type = type
    self.payload = payload
    self.expires = expires
  }
}

/// What a host says of itself, key by key.
public struct StatusMessage: Hashable, Sendable {
  /// The longest key, in bytes of UTF-8.
  public static let longestKey = 64
  /// The longest value, in bytes.
  public static let longestValue = 16 * 1024
  /// The most keys of one host.
  public static let mostKeys = 64

  /// A key's value and when it was set, counted in changes of the board; no value: removed.
  public struct Entry: Hashable, Sendable {
    public let key: String
    public let generation: UInt64
    public let value: [UInt8]?

    /// Makes an entry.
    public init(key: String, generation: UInt64, value: [UInt8]?) {
      self.key = key
      self.generation = generation
      self.value = value
    }
  }

  /// How often the board has changed, this message included.
  public let generation: UInt64
  /// The entries that changed since the generation that was asked for.
  public let entries: [Entry]

  /// Makes a message.
  public init(generation: UInt64, entries: [Entry]) {
    self.generation = generation
    self.entries = entries
  }
}

extension String {
  /// The longest beginning of the text that takes up to `limit` bytes and cuts no character.
  func cut(toUTF8 limit: Int) -> String {
    var result = ""
    var length = 0
    for character in self {
      length += character.utf8.count
      if length > limit { break }
      result.append(character)
    }
    return result
  }
}
