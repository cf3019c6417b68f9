public import PeerCore
internal import Sealing

/// How a clock takes part in its group.
public struct PeerClockConfiguration: Sendable {
  /// Which group, and the secret that its members share.
  public struct Group: Sendable {
    /// What only members know.
    enum Secret: Sendable {
      case passphrase(String)
      case key([UInt8])
      case stretched(SecretKey)
    }

    public let name: String
    let secret: Secret

    /// Makes a group of its name and passphrase, neither of which may be empty.
    public init(name: String, passphrase: String) {
      self.name = name
      secret = .passphrase(passphrase)
    }

    /// Makes a group of its name and a key of 32 random bytes, which needs no stretching.
    public init(name: String, key: [UInt8]) {
      self.name = name
      secret = .key(key)
    }

    /// Makes a group of what ``GroupFile`` keeps of its passphrase.
    public init(_ file: GroupFile) {
      name = file.name
      secret = .stretched(file.key)
    }

    var isEmpty: Bool {
      if case .passphrase("") = secret { return true }
      return name.isEmpty
    }
  }

  /// An address at which a peer may be found where multicast does not reach.
  public struct Seed: Hashable, Sendable {
    /// A numeric IPv4 or IPv6 address; one of a link with its interface, as in `fe80::1%eth0`.
    public let host: String
    /// The peer's port for datagrams.
    public let port: UInt16

    /// Makes a seed.
    public init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// Where shared time comes from: the same for all hosts of a group.
  public enum TimeSource: Hashable, Sendable {
    /// The hosts agree on it among themselves: right to microseconds, on one network.
    case peers
    /// Each host's own wall clock, which NTP, PTP or GPS keeps right: hosts need never meet. The
    /// anchor is a UTC midnight from 2017 to 2100, in nanoseconds since 1970 UTC; the offset from
    /// UTC, in seconds east and 14 hours at most, is for labels only.
    case system(anchorUnixNanoseconds: Int64, utcOffsetSeconds: Int32)
  }

  /// The best stamps of datagrams that are used: a ladder, of which a clock takes the highest rung
  /// that its network gives.
  public enum Stamps: String, Hashable, Sendable, CaseIterable {
    /// The driver's.
    case kernel
    /// The kernel's of when a datagram was queued for the driver: some microseconds early.
    case scheduled
    /// The kernel's of arrivals only, and the program's own of just before it sends.
    case arrivals
    /// The program's own, around its calls: tens of microseconds off.
    case userSpace = "user_space"
  }

  /// The group; nothing: this user's own, on this machine only.
  public var group: Group?
  /// Where identity, incarnation and time are kept; nothing: nowhere, a new identity each time.
  public var stateDirectory: String?
  /// What people call this host: up to 64 bytes are kept.
  public var label: String
  /// The program and its version: up to 32 bytes are kept.
  public var software: String
  /// The interfaces to use, by name; none: all that are up.
  public var interfaces: [String] = []
  /// The port for datagrams and for links; 0: ``usualPort`` where that is free, else any.
  public var port: UInt16 = 0
  /// Where else to look for peers.
  public var seeds: [Seed] = []
  /// No better stamps than these are used, to see what a lesser driver would do.
  public var stamps = Stamps.kernel
  /// Where shared time comes from.
  public var timeSource = TimeSource.peers
  /// The distance of probes; nothing: as fast as is needed.
  public var syncInterval: Duration?
  /// What the host is busy with from the start: one that is not idle keeps the session of its last
  /// run, by its wall clock where nobody else has it.
  public var activity = Activity.idle
  /// The multicast group and port of beacons: the same for all who are to find each other.
  public var multicastGroup: String = Self.defaultMulticastGroup
  public var multicastPort: UInt16 = Self.defaultMulticastPort

  /// In the site-local part of the administratively scoped addresses (RFC 2365).
  public static let defaultMulticastGroup = "239.255.77.67"
  /// In the dynamic range, below Linux's own ephemeral ports.
  public static let defaultMulticastPort: UInt16 = 27_767

  /// The port that a clock takes where none is said and it is free: where a peer is looked for
  /// whose port nobody told.
  public static let usualPort: UInt16 = defaultMulticastPort + 1

  /// Makes a configuration: this user's own group on this machine, unless more is said.
  public init(
    group: Group? = nil, stateDirectory: String? = nil, label: String = "peer",
    software: String = "PeerClock"
  ) {
    self.group = group
    self.stateDirectory = stateDirectory
    self.label = label
    self.software = software
  }
}
