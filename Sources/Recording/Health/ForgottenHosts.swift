public import Units

/// Hosts that people had all others forget, and when. Every status carries them: whoever was not
/// heard then learns it from any other as soon as it is.
public struct ForgottenHosts: Hashable, Sendable {
  /// A host, and when it was forgotten, by the session's civil time in nanoseconds since 1970 UTC.
  public struct Entry: Hashable, Sendable, Codable {
    public let peer: PeerID
    public let unixNs: Int64

    public init(peer: PeerID, unixNs: Int64) {
      self.peer = peer
      self.unixNs = unixNs
    }

    private enum CodingKeys: String, CodingKey {
      case peer
      case unixNs = "unix_ns"
    }
  }

  /// The most hosts that are remembered so: the latest.
  public static let most = 8
  /// For how long, in nanoseconds: after a day a host that is lost is forgotten without being told.
  public static let memoryNanoseconds: Int64 = 86_400_000_000_000

  /// The earliest first.
  public private(set) var entries: [Entry] = []

  /// Begins with none.
  public init() {}

  /// Takes note of one, at the time `now`; of two times of one host the later counts. What is older
  /// than a day, or still to come, is passed over.
  public mutating func add(_ entry: Entry, now: Int64) {
    let age = now.subtractingReportingOverflow(entry.unixNs)
    guard !age.overflow, age.partialValue >= 0, age.partialValue < Self.memoryNanoseconds else {
      return
    }
    var times = Dictionary(uniqueKeysWithValues: entries.map { ($0.peer, $0.unixNs) })
    times[entry.peer] = max(times[entry.peer] ?? .min, entry.unixNs)
    entries = times.map { Entry(peer: $0.key, unixNs: $0.value) }
      .filter { now - $0.unixNs < Self.memoryNanoseconds }
      .sorted { ($0.unixNs, $0.peer) < ($1.unixNs, $1.peer) }
      .suffix(Self.most)
  }

  /// Whether `peer`, which is not heard since `lost`, was forgotten after that.
  public func isForgotten(_ peer: PeerID, lostSince lost: Int64) -> Bool {
    entries.contains { $0.peer == peer && $0.unixNs >= lost }
  }
}
