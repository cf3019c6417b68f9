public import Units

/// A host's figures of one moment, as its alerts are made of them. What is unknown is nothing.
public struct HealthReading: Hashable, Sendable {
  /// Another host of the group.
  public struct Peer: Hashable, Sendable {
    public var id: PeerID
    public var label: String
    public var software: String
    public var isLost: Bool
    /// Whether it was armed or rolling when it was heard last.
    public var wasBusy: Bool
    /// Whether it said that it leaves.
    public var hasLeft: Bool

    public init(
      id: PeerID, label: String, software: String, isLost: Bool, wasBusy: Bool = false,
      hasLeft: Bool = false
    ) {
      self.id = id
      self.label = label
      self.software = software
      self.isLost = isLost
      self.wasBusy = wasBusy
      self.hasLeft = hasLeft
    }
  }

  /// A folder that takes go to.
  public struct Disk: Hashable, Sendable {
    public var folder: String
    public var minutesLeft: Double

    public init(folder: String, minutesLeft: Double) {
      self.folder = folder
      self.minutesLeft = minutesLeft
    }
  }

  /// A folder whose disk does not answer.
  public struct SilentDisk: Hashable, Sendable {
    public var folder: String
    public var seconds: Double
    /// Whether takes go there; else it keeps the daemon's own state.
    public var hasTakes: Bool

    public init(folder: String, seconds: Double, hasTakes: Bool) {
      self.folder = folder
      self.seconds = seconds
      self.hasTakes = hasTakes
    }
  }

  public var software = ""
  public var isBusy = false
  public var isRolling = false
  public var isCardGone = false
  public var gaps = 0
  /// What was lost last, in words.
  public var lastGap: String?
  /// Samples at full scale since the card was armed, by channel.
  public var clipped: [Int] = []
  /// For how long each channel has been silent, in seconds.
  public var silentSeconds: [Double] = []
  public var disks: [Disk] = []
  public var silentDisks: [SilentDisk] = []
  public var batteryPercent: Double?
  public var batteryMinutes: Double?
  public var isDischarging = false
  public var celsius: Double?
  public var isSynced = true
  public var isOnSystemTime = false
  public var boundNanoseconds: Int64?
  public var cardPPM: Double?
  public var disagreementNanoseconds: Int64?
  public var disagreementBoundNanoseconds: Int64?
  public var writers: [HostReport.Writer] = []
  /// Since when the host runs; whether it had ended without being told to before that.
  public var uptime = Duration.zero
  public var hadCrashed = false
  /// What the system does not let the daemon have, with what to do.
  public var advice: [String] = []
  /// Packets that the group's key did not open, by address.
  public var strangers: [String: UInt64] = [:]
  /// In which way it counts timecode otherwise than the session, with what to do.
  public var timecode: String?
  public var peers: [Peer] = []

  /// Makes a reading of a host that is well and has nothing.
  public init() {}
}
