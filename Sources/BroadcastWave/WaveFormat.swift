public import Units

/// How the samples of a sound file are stored.
public enum SampleEncoding: Hashable, Sendable {
  /// Signed integers of 16, 24 or 32 bits, low byte first.
  case integer(bits: Int)
  /// IEEE 754 numbers of 32 bits, low byte first; full scale is 1.
  case float32

  /// The width of one sample in bits.
  public var bits: Int {
    switch self {
    case .integer(let bits): bits
    case .float32: 32
    }
  }
}

/// What the frames of a sound file are: how many a second, of how many channels, stored how.
public struct WaveFormat: Hashable, Sendable {
  public let sampleRate: SampleRate
  /// Samples in a frame, 1 to 1024.
  public let channels: Int
  public let encoding: SampleEncoding

  /// The most channels of a file: the limit of libsndfile, and so of most readers.
  public static let channelLimit = 1024

  /// Makes a format of 1 to 1024 channels; integers must be 16, 24 or 32 bits wide.
  public init(sampleRate: SampleRate, channels: Int, encoding: SampleEncoding) {
    precondition(
      (1...Self.channelLimit).contains(channels), "a file has 1 to 1024 channels, not \(channels)")
    precondition(
      [16, 24, 32].contains(encoding.bits), "a sample has 16, 24 or 32 bits, not \(encoding.bits)")
    self.sampleRate = sampleRate
    self.channels = channels
    self.encoding = encoding
  }

  /// The size of one frame in bytes.
  public var bytesPerFrame: Int { channels * encoding.bits / 8 }
}
