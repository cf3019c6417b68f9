public import Recording
public import Units

/// What a capture engine is doing, for whoever watches.
public struct CaptureSnapshot: Sendable {
  public var state = HostState.idle
  /// The card as it was opened; nothing while idle.
  public var input: HostReport.Input?
  public var levels: HostReport.Levels?
  public var clipped = 0
  public var gaps = 0
  /// Whether the card is gone, and silence stands for it.
  public var isCardGone = false
  public var cardExcess: ClockRate?
  public var recordedFrames: Int64 = 0
  public var firstSample: HostReport.FirstSample?
  /// Where the files of the take are that rolls, or rolled last.
  public var folder: String?
  public var ringBytes: Int64?
  /// How far back a take may begin once the ring is full.
  public var preRoll: Duration?
  /// The places that the take that rolls, or rolled last, is written to.
  public var writers: [HostReport.Writer] = []
  /// By how much the take that rolls, or rolled last, begins after T0.
  public var headMissing: Duration?
  /// How far the take that was recorded last goes on beyond T1.
  public var tailExcess: Duration?
  /// Channels that have been silent for long, counted from 1.
  public var silentChannels: [Int] = []
  /// Whether the capture thread has a real-time priority; nothing before that is known.
  public var isRealtime: Bool?
  /// Whether the part of the ring that is being written is locked in memory.
  public var isLocked: Bool?
  /// What has gone wrong since the host was armed.
  public var warnings: [String] = []
  /// How many bytes a second the take writes.
  public var bytesPerSecond: Int64?

  init() {}

  /// What the system does not let this user have, and how to change that.
  public var advice: [String] {
    var advice: [String] = []
    if isRealtime == false {
      advice.append(
        "the capture thread has no real-time priority; give this user rtprio 50 or more in "
          + "/etc/security/limits.d, or LimitRTPRIO=50 in the service")
    }
    if isLocked == false {
      advice.append(
        "the ring is not locked in memory; raise memlock for this user in "
          + "/etc/security/limits.d, or LimitMEMLOCK= in the service")
    }
    return advice
  }
}

/// What came of arming.
public struct ArmedReport: Hashable, Sendable {
  public let input: HostReport.Input
  /// The memory of the ring.
  public let ringBytes: Int64
  /// How far back a take may begin once the ring is full.
  public let reach: Duration
}

/// What a host will do about a start.
public struct StartReport: Hashable, Sendable {
  /// By how much T0 had passed when the host was told; nothing for one that was told in time.
  public let late: Duration?
  /// Whether the ring reaches back to T0, so that nothing is missing all the same.
  public let isCovered: Bool
}

extension CaptureSnapshot {
  init(keeping state: HostState) {
    self.init()
    self.state = state
  }
}
