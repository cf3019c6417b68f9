public import Recording
public import Units

/// Which card to record from, and how.
public struct CaptureInput: Hashable, Sendable {
  /// How much more than the pre-roll the ring holds, for a writer that the disk keeps waiting.
  public static let reserve = Duration.seconds(10)
  /// The longest pre-roll.
  public static let longestPreRoll = Duration.seconds(600)

  /// The longest post-roll.
  public static let longestPostRoll = Duration.seconds(60)

  /// What the user calls the card: its index, id, name, USB path or serial, or a name of ALSA's.
  public let name: String
  public let rate: SampleRate
  /// Which channels; nothing: as the card has it.
  public let channels: ChannelSelection?
  /// What channels are called.
  public var tracks: [Track] = []
  /// How far back from now a take may begin.
  public let preRoll: Duration
  /// Whether a file begins a pre-roll before T0, as far as the ring reaches, instead of at T0.
  public var keepsPreRoll = false
  /// How far beyond T1 a file reaches.
  public var postRoll = Duration.zero
  /// How long a take the disk must have room for when the card is armed.
  public let leastRoom: Duration

  /// Makes an input; the pre-roll is kept within 0 and ten minutes.
  public init(
    name: String, rate: SampleRate, channels: ChannelSelection?, preRoll: Duration,
    leastRoom: Duration = .seconds(60)
  ) {
    self.leastRoom = max(.zero, leastRoom)
    self.name = name
    self.rate = rate
    self.channels = channels
    self.preRoll = max(.zero, min(preRoll, Self.longestPreRoll))
  }
}

/// Who records: what goes into the names and headers of files.
public struct CaptureHost: Hashable, Sendable {
  public let peer: PeerID
  public let label: String
  /// The program and its version, such as `recorder 0.1`.
  public let software: String
  public let bootID: String

  /// Makes it of its parts.
  public init(peer: PeerID, label: String, software: String, bootID: String) {
    self.peer = peer
    self.label = label
    self.software = software
    self.bootID = bootID
  }
}
