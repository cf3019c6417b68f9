public import CaptureEngine
public import PeerClock
public import Recording
public import Units

/// What a daemon is started with.
public struct DaemonOptions: Sendable {
  /// Hosts that share a name and a passphrase.
  public struct Group: Sendable {
    public let name: String
    /// Nothing: as the state directory keeps it.
    public let passphrase: String?

    public init(name: String, passphrase: String?) {
      self.name = name
      self.passphrase = passphrase
    }
  }

  /// A place where a peer may be found: a numeric address and a port.
  public struct Seed: Hashable, Sendable {
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// Shared time of the host's own disciplined wall clock.
  public struct SystemTime: Hashable, Sendable {
    /// The UTC midnight that session time counts from, in nanoseconds since 1970 UTC.
    public let anchorUnixNanoseconds: Int64
    /// The session's offset from UTC, in seconds east.
    public let utcOffsetSeconds: Int32

    public init(anchorUnixNanoseconds: Int64, utcOffsetSeconds: Int32) {
      self.anchorUnixNanoseconds = anchorUnixNanoseconds
      self.utcOffsetSeconds = utcOffsetSeconds
    }
  }

  /// Where identity, time and counters are kept.
  public var stateDirectory: String
  public var socketPath: String
  /// What people call the host; nothing: the machine's name.
  public var label: String?
  /// Nothing: this user's own group, on this machine only.
  public var group: Group?
  public var interfaces: [String] = []
  /// 0: any free port.
  public var port: UInt16 = 0
  public var seeds: [Seed] = []
  public var syncInterval: Duration?
  /// The most that may be open about shared time before that is worth an alert.
  public var syncLimit = Duration.milliseconds(2)
  /// The best packet stamps to use.
  public var stamps: PeerClockConfiguration.Stamps = .kernel
  /// Where shared time comes from; nothing: the hosts agree among themselves.
  public var systemTime: SystemTime?
  /// The card to record from: its index, id, name, USB path or serial, or a name of ALSA's;
  /// nothing: the host keeps time, shows status and commands only.
  public var input: String?
  public var sampleRate = SampleRate(hertz: 48_000)
  /// Nothing: as the card has it.
  public var channels: ChannelSelection?
  /// What the card's channels are called.
  public var tracks: [Track] = []
  /// The folder that takes go to.
  public var output: String
  /// A second folder that every take is written to as well.
  public var mirror: String?
  public var preRoll = Duration.seconds(10)
  /// Whether files begin with the pre-roll instead of at T0.
  public var keepsPreRoll = false
  /// How far files reach beyond T1.
  public var postRoll = Duration.zero
  /// How takes are put into files.
  public var files = FileSettings()
  /// How the session is to count timecode, as `TimecodeSetting` writes it; nothing: as the others
  /// of the session do, else 25, time of day.
  public var timecode: String?
  /// Ends when the standard input does: for whoever starts daemons as children.
  public var stopsOnEndOfInput = false
  /// Called once commands are answered.
  public var whenReady: @Sendable () -> Void = {}

  /// Makes the options that a daemon cannot do without.
  public init(stateDirectory: String, socketPath: String, output: String) {
    self.stateDirectory = stateDirectory
    self.socketPath = socketPath
    self.output = output
  }
}
