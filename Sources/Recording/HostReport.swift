public import Units

/// What a host says of itself, as `recorder status --json` gives it.
public struct HostReport: Hashable, Sendable, Codable {
  /// The card, as it was opened.
  public struct Input: Hashable, Sendable, Codable {
    public var description: String
    public var pcm: String
    public var sampleRateHertz: Int
    public var channels: Int
    public var bits: Int

    public init(
      description: String, pcm: String, sampleRateHertz: Int, channels: Int, bits: Int
    ) {
      self.description = description
      self.pcm = pcm
      self.sampleRateHertz = sampleRateHertz
      self.channels = channels
      self.bits = bits
    }

    private enum CodingKeys: String, CodingKey {
      case description
      case pcm
      case sampleRateHertz = "sample_rate_hz"
      case channels
      case bits
    }
  }

  /// Levels of the last stretch, channel by channel, in dB of full scale; silence is absent.
  public struct Levels: Hashable, Sendable, Codable {
    public var peak: [Double?]
    public var rms: [Double?]
    /// How many samples of each channel were at full scale since the card was armed.
    public var clipped: [Int]?
    /// For how long each channel has been silent, in seconds.
    public var silentSeconds: [Double]?

    public init(
      peak: [Double?], rms: [Double?], clipped: [Int]? = nil, silentSeconds: [Double]? = nil
    ) {
      self.peak = peak
      self.rms = rms
      self.clipped = clipped
      self.silentSeconds = silentSeconds
    }

    private enum CodingKeys: String, CodingKey {
      case peak
      case rms
      case clipped
      case silentSeconds = "silent_s"
    }
  }

  /// How a place that takes are written to keeps up.
  public struct Writer: Hashable, Sendable, Codable {
    public var folder: String
    /// How far it is behind the card, and was at most since the take began, in seconds.
    public var behindSeconds: Double
    public var mostBehindSeconds: Double
    /// The longest that one write took, in milliseconds.
    public var slowestWriteMs: Double
    /// Why nothing is written there any more; nothing while all is well.
    public var failure: String?

    public init(
      folder: String, behindSeconds: Double, mostBehindSeconds: Double, slowestWriteMs: Double,
      failure: String?
    ) {
      self.folder = folder
      self.behindSeconds = behindSeconds
      self.mostBehindSeconds = mostBehindSeconds
      self.slowestWriteMs = slowestWriteMs
      self.failure = failure
    }

    private enum CodingKeys: String, CodingKey {
      case folder
      case behindSeconds = "behind_s"
      case mostBehindSeconds = "most_behind_s"
      case slowestWriteMs = "slowest_write_ms"
      case failure
    }
  }

  /// How the host stands in shared time.
  public struct Sync: Hashable, Sendable, Codable {
    public enum Role: String, Hashable, Sendable, Codable {
      case coordinator
      case follower
      case unsynced
    }

    public var role: Role
    public var session: SessionID?
    /// Jitter bound and path limit together, in nanoseconds.
    public var boundNs: Int64?
    public var jitterBoundNs: Int64?
    public var pathLimitNs: Int64?
    /// How far the displayed time is from the best estimate, in nanoseconds.
    public var offsetNs: Int64?
    /// How the packets are stamped: `kernel`, `scheduled` or `user_space`.
    public var stamp: String?
    /// A reading of the host's clock, and shared time at that very reading.
    public var hostNs: Int64?
    public var sharedNs: Int64?

    public init(role: Role) { self.role = role }

    private enum CodingKeys: String, CodingKey {
      case role
      case session
      case boundNs = "bound_ns"
      case jitterBoundNs = "jitter_bound_ns"
      case pathLimitNs = "path_limit_ns"
      case offsetNs = "offset_ns"
      case stamp
      case hostNs = "host_ns"
      case sharedNs = "shared_ns"
    }
  }

  /// The first frame of the take that rolls, or rolled last.
  public struct FirstSample: Hashable, Sendable, Codable {
    public var sharedNs: Int64
    public var boundNs: Int64

    public init(sharedNs: Int64, boundNs: Int64) {
      self.sharedNs = sharedNs
      self.boundNs = boundNs
    }

    private enum CodingKeys: String, CodingKey {
      case sharedNs = "shared_ns"
      case boundNs = "bound_ns"
    }
  }

  public var peer: PeerID
  public var label: String
  public var software: String
  /// `idle`, `armed`, `scheduled`, `rolling`; `lost` for a host that is not heard, `ended` for one
  /// whose user has ended its daemon.
  public var state: String
  public var take: TakePlan?
  /// What the host knows the session to have agreed on.
  public var book: SessionBook?
  /// How the host is set to count timecode; nothing: as the others.
  public var timecode: String?
  /// How many files it writes of each segment of a take.
  public var filesASegment: Int?
  /// Nothing for a host that takes part in time, status and command only.
  public var input: Input?
  public var levelsDbfs: Levels?
  /// How many samples were at full scale since the card was armed.
  public var clipped = 0
  public var batteryPercent: Double?
  public var batteryMinutes: Double?
  public var diskFreeBytes: Int64?
  public var diskMinutesLeft: Double?
  /// For how long the disk that takes go to has not answered, in seconds; nothing while it does.
  public var diskSilentSeconds: Double?
  public var temperatureCelsius: Double?
  public var sync: Sync
  public var gaps = 0
  /// By how much the card's crystal is fast against the host's clock.
  public var cardPpm: Double?
  public var recordedFrames: Int64 = 0
  public var firstSample: FirstSample?
  public var ringBytes: Int64?
  /// How far back a take may begin once the ring is full, in seconds.
  public var preRollSeconds: Double?
  /// The places that the take that rolls, or rolled last, is written to.
  public var writers: [Writer]?
  public var isRealtime: Bool?
  /// The alerts that hold, the worst first; nothing from earlier versions.
  public var alerts: [Alert]?
  /// What is wrong, in words, each with what to do.
  public var warnings: [String] = []
  /// What it was called before, the newest first.
  public var formerLabels: [String]?
  /// Where its takes go.
  public var output: String?
  /// Whether it hears any other host by multicast; nothing where it hears none at all.
  public var isHeardByMulticast: Bool?
  /// Hosts that it hears and has no connection to, by label.
  public var unlinked: [String]?
  /// Hosts that it was told to forget, and when.
  public var forgotten: [ForgottenHosts.Entry]?
  /// How long ago the host was heard, in seconds; nothing for one that is heard.
  public var silentSeconds: Double?

  /// Whether the host is not heard: lost, or ended by its user.
  public var isGone: Bool { state == "lost" || state == "ended" }

  /// Makes a report of a host that has nothing else to say yet.
  public init(peer: PeerID, label: String, software: String, state: String, sync: Sync) {
    self.peer = peer
    self.label = label
    self.software = software
    self.state = state
    self.sync = sync
  }

  private enum CodingKeys: String, CodingKey {
    case peer
    case label
    case software
    case state
    case take, book, timecode
    case filesASegment = "files_a_segment"
    case input
    case levelsDbfs = "levels_dbfs"
    case clipped
    case batteryPercent = "battery_percent"
    case batteryMinutes = "battery_minutes"
    case diskFreeBytes = "disk_free_bytes"
    case diskMinutesLeft = "disk_minutes_left"
    case diskSilentSeconds = "disk_silent_s"
    case temperatureCelsius = "temperature_celsius"
    case sync
    case gaps
    case cardPpm = "card_ppm"
    case recordedFrames = "recorded_frames"
    case firstSample = "first_sample"
    case ringBytes = "ring_bytes"
    case preRollSeconds = "pre_roll_s"
    case writers
    case isRealtime = "realtime"
    case alerts, warnings
    case silentSeconds = "silent_s"
    case output, unlinked, forgotten
    case formerLabels = "former_labels"
    case isHeardByMulticast = "multicast_heard"
  }
}

extension HostReport {
  /// The same with its alerts among its ``warnings`` too, the worst first, each thing once.
  public var inWords: HostReport {
    guard let alerts else { return self }
    var report = self
    let told = alerts.map(\.text)
    report.warnings =
      alerts.map(\.sentence) + warnings.filter { text in !told.contains { text.hasPrefix($0) } }
    return report
  }
}
