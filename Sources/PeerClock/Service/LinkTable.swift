internal import PeerCore
internal import Sealing
internal import Units

/// The reliable links of a clock: what runs over which connection, and who is at its other end.
struct LinkTable {
  /// How long a link may take to be ready.
  static let handshakeLimit = Duration.seconds(5)
  /// The most connections that came and are no links yet: in all, and from one address.
  static let mostStrangers = 64
  static let mostFromOneAddress = 8

  private struct Entry {
    var link: ReliableLink
    /// Whom we dialled; nothing where someone dialled us.
    let wanted: PeerID?
    let opened: HostInstant
    /// Where it came from; nothing where we dialled.
    let address: [UInt8]?

    var isStranger: Bool { address != nil && !link.isOpen }
  }

  /// What the service does about what a link said.
  enum Outcome {
    case write([UInt8])
    /// A peer is ready; an older link to it, if any, is to be closed.
    case ready(peer: PeerID, incarnation: Incarnation, replaced: ConnectionID?)
    case message(from: PeerID, Message)
  }

  private let cipher: Cipher
  private let me: PeerID
  private let incarnation: Incarnation
  private(set) var generator: SecureGenerator
  private var entries: [ConnectionID: Entry] = [:]
  private var byPeer: [PeerID: ConnectionID] = [:]

  init(cipher: Cipher, me: PeerID, incarnation: Incarnation, generator: SecureGenerator) {
    self.cipher = cipher
    self.me = me
    self.incarnation = incarnation
    self.generator = generator
  }

  /// Takes up a connection, dialled by us where `wanted` is given.
  mutating func add(
    _ id: ConnectionID, wanted: PeerID?, from place: PathAddress? = nil, at now: HostInstant
  ) {
    let role: ReliableLink.Role = wanted == nil ? .listener : .dialler
    entries[id] = Entry(
      link: ReliableLink(role: role, cipher: cipher, me: me, incarnation: incarnation),
      wanted: wanted, opened: now, address: wanted == nil ? place?.address : nil)
  }

  /// The first bytes to write to a connection that stands.
  mutating func start(_ id: ConnectionID) -> [UInt8]? {
    entries[id]?.link.start(generator: &generator)
  }

  /// Takes bytes that arrived. Only from runs that are expected does a link come to be.
  ///
  /// - Throws: why the connection is to be closed.
  mutating func receive(
    _ bytes: [UInt8], on id: ConnectionID, expecting isExpected: (PeerRun) -> Bool
  ) throws(WireRefusal) -> [Outcome] {
    guard var entry = entries.removeValue(forKey: id) else { return [] }
    defer { entries[id] = entry }
    var outcomes: [Outcome] = []
    for event in try entry.link.receive(bytes, generator: &generator) {
      switch event {
      case .write(let bytes): outcomes.append(.write(bytes))
      case .ready(let peer, let incarnation):
        if let wanted = entry.wanted, wanted != peer { throw .unexpected }
        // Nor does a twin, or a run that is over, take the place of the link that there is.
        guard isExpected(PeerRun(peer: peer, incarnation: incarnation)) else { throw .unproven }
        let replaced = byPeer.updateValue(id, forKey: peer)
        outcomes.append(.ready(peer: peer, incarnation: incarnation, replaced: replaced))
      case .message(let message):
        guard let peer = entry.link.peer else { throw .unexpected }
        outcomes.append(.message(from: peer, message))
      }
    }
    return outcomes
  }

  /// The connection over which a peer's link runs.
  func connection(to peer: PeerID) -> ConnectionID? { byPeer[peer] }

  /// The connection and the bytes that carry `message` to `peer`; nothing without a link.
  mutating func send(_ message: Message, to peer: PeerID) -> (ConnectionID, [UInt8])? {
    guard let id = byPeer[peer],
      let bytes = entries[id]?.link.send(message, generator: &generator)
    else { return nil }
    return (id, bytes)
  }

  /// Forgets a connection; who is cut off by that: a peer with a link, or one that was dialled.
  mutating func remove(_ id: ConnectionID) -> PeerID? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let peer = entry.link.peer, byPeer[peer] == id {
      byPeer[peer] = nil
      return peer
    }
    return entry.wanted
  }

  /// The connections on which nobody has become known in time, and the oldest of those that are
  /// too many: in all, or from one address.
  func overdue(at now: HostInstant) -> [ConnectionID] {
    let late = entries.filter {
      !$0.value.link.isOpen && now - $0.value.opened > Self.handshakeLimit
    }
    return Set(late.keys).union(excess).sorted { $0.number < $1.number }
  }

  private var excess: [ConnectionID] {
    let strangers = entries.filter(\.value.isStranger).keys.sorted { $0.number < $1.number }
    guard strangers.count > Self.mostFromOneAddress else { return [] }
    var counts: [[UInt8]: Int] = [:]
    var kept = 0
    return strangers.reversed().filter { id in
      let count = counts[entries[id]?.address ?? [], default: 0]
      guard count < Self.mostFromOneAddress, kept < Self.mostStrangers else { return true }
      counts[entries[id]?.address ?? []] = count + 1
      kept += 1
      return false
    }
  }
}
