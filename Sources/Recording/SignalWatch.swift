/// Watches one channel for what a person would want to be told: that it was too loud, ever since
/// the card was armed, and that nothing has come from it for a while.
public struct SignalWatch: Hashable, Sendable {
  /// Below this peak a channel is silent: −80 dB of full scale. The noise of a microphone in a
  /// quiet room lies above it, that of an open input mostly below.
  public static let silence: Float = 0.0001
  /// How long a channel may be silent before that is worth a word.
  public static let patience = Duration.seconds(10)

  /// How many samples were at full scale. The latch: it is never taken back.
  public private(set) var clipped = 0
  /// For how long the channel has been silent.
  public private(set) var silent = Duration.zero

  /// Begins with nothing heard.
  public init() {}

  /// Takes in a stretch of `length`.
  public mutating func take(_ meter: LevelMeter, length: Duration) {
    clipped += meter.clipped
    silent = meter.peak < Self.silence ? silent + length : .zero
  }

  /// Whether it is time for a word about the silence.
  public var isWorthAWord: Bool { silent >= Self.patience }
}
