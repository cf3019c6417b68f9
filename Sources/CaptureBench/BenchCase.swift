public import Units

/// A card to record from, as large as it is.
public struct BenchCase: Hashable, Sendable {
  public let channels: Int
  public let rate: SampleRate

  /// Makes a case of 1 to 64 channels.
  public init(channels: Int, rate: SampleRate) {
    precondition((1...64).contains(channels), "a card has 1 to 64 channels, not \(channels)")
    self.channels = channels
    self.rate = rate
  }

  /// What the recorder is to keep up with: a large card at a high rate, and two usual ones.
  public static let usual = [
    BenchCase(channels: 64, rate: SampleRate(hertz: 96_000)),
    BenchCase(channels: 2, rate: SampleRate(hertz: 48_000)),
    BenchCase(channels: 8, rate: SampleRate(hertz: 48_000)),
  ]

  /// The bytes that both recorders together write in a second: 24 bits here, 32 there.
  var bytesPerSecond: Int64 { Int64(channels * rate.hertz * 7) }
}
