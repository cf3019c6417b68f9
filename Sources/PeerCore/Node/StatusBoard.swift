public import Units

/// What this host says of itself, and how much of it each peer was sent.
///
/// Each change has a number, the board's generation; a peer that says which it knows is sent what
/// changed since. What was removed stays on the board without a value, for as long as there is
/// room, so that the removal reaches those who were away.
public struct StatusBoard: Sendable {
  /// The most entries, those removed included.
  static let mostEntries = 2 * StatusMessage.mostKeys

  private let debounce: Duration
  private var table: [String: StatusMessage.Entry] = [:]
  private var sent: [PeerID: UInt64] = [:]
  /// How often the board has changed.
  public private(set) var generation: UInt64 = 0
  /// When changes are to be sent; nothing while there are none.
  public private(set) var nextPush: HostInstant?

  /// Makes an empty board that gathers changes for `debounce`.
  public init(debounce: Duration) { self.debounce = debounce }

  /// The values by key.
  public var values: [String: [UInt8]] { table.compactMapValues(\.value) }

  /// Sets a key's value; nothing changes where it is the same as before.
  public mutating func set(
    _ value: [UInt8], forKey key: String, at now: HostInstant
  ) throws(PeerNodeError) {
    guard !key.isEmpty else { throw .emptyKey }
    guard key.utf8.count <= StatusMessage.longestKey else {
      throw .keyTooLong(bytes: key.utf8.count)
    }
    guard value.count <= StatusMessage.longestValue else {
      throw .valueTooLong(bytes: value.count)
    }
    let before = table[key]?.value
    guard before != value else { return }
    if before == nil, values.count >= StatusMessage.mostKeys {
      throw .tooManyKeys(limit: StatusMessage.mostKeys)
    }
    put(value, forKey: key, at: now)
  }

  /// Removes a key; nothing changes where it is not there.
  public mutating func remove(key: String, at now: HostInstant) {
    guard table[key]?.value != nil else { return }
    put(nil, forKey: key, at: now)
  }

  /// What `peer`, which knows the board up to `known`, is to be sent. From then on it is sent
  /// every change.
  public mutating func messages(for peer: PeerID, since known: UInt64) -> [StatusMessage] {
    sent[peer] = generation
    return messages(since: known)
  }

  /// Sends `peer` nothing more until it asks again.
  public mutating func stop(sendingTo peer: PeerID) { sent[peer] = nil }

  /// Sends nobody anything until they ask.
  public mutating func stopAll() { sent = [:] }

  /// What is to be sent at `now`, to whom.
  public mutating func push(at now: HostInstant) -> [(peer: PeerID, message: StatusMessage)] {
    guard let due = nextPush, due <= now else { return [] }
    nextPush = nil
    var result: [(peer: PeerID, message: StatusMessage)] = []
    for (peer, known) in sent.sorted(by: { $0.key < $1.key }) where known < generation {
      result += messages(for: peer, since: known).map { (peer, $0) }
    }
    return result
  }

  private mutating func put(_ value: [UInt8]?, forKey key: String, at now: HostInstant) {
    generation += 1
    table[key] = StatusMessage.Entry(key: key, generation: generation, value: value)
    if table.count > Self.mostEntries,
      let oldest = table.values.filter({ $0.value == nil }).min(by: {
        $0.generation < $1.generation
      })
    {
      table[oldest.key] = nil
    }
    if nextPush == nil { nextPush = now + debounce }
  }

  /// Changes since `known`, oldest first, in messages that fit a frame.
  private func messages(since known: UInt64) -> [StatusMessage] {
    let changes = table.values.filter { $0.generation > known }
    guard !changes.isEmpty else { return [] }
    return StatusMessage.pages(generation: generation, entries: Array(changes))
  }
}
