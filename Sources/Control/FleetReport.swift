public import Recording
public import Units

/// What a daemon knows of all hosts, as `recorder status --json` gives it.
public struct FleetReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.status/1"

  /// Packets from one address that the group's key did not open.
  public struct Stranger: Hashable, Sendable, Codable {
    public var address: String
    public var packets: Int

    public init(address: String, packets: Int) {
      self.address = address
      self.packets = packets
    }
  }

  public var schema = Self.schema
  /// The host that was asked.
  public var peer: PeerID
  /// The group's name; nothing where the host serves this machine alone.
  public var group: String?
  public var session: SessionID?
  /// The civil time at which session time began, and the shared time of that.
  public var anchorUnixNs: Int64?
  public var anchorSharedNs: Int64?
  public var coordinator: PeerID?
  /// Which term of which coordinator, as `<counter>-<peer>`.
  public var term: String?
  /// One for each host, the asked one among them, sorted by label.
  public var hosts: [HostReport] = []
  /// How many packets the asked host has refused, by reason.
  public var refusedPackets: [String: Int] = [:]
  /// Where packets came from that bore the group's tag and did not open.
  public var wrongKeys: [Stranger] = []

  /// Makes a report without hosts.
  public init(peer: PeerID) { self.peer = peer }

  private enum CodingKeys: String, CodingKey {
    case schema
    case peer
    case group
    case session
    case anchorUnixNs = "anchor_unix_ns"
    case anchorSharedNs = "anchor_shared_ns"
    case coordinator
    case term
    case hosts
    case refusedPackets = "refused_packets"
    case wrongKeys = "wrong_keys"
  }
}
