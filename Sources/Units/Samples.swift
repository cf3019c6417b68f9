/// The position of a sample frame in one card's stream, counted from the stream's first frame.
public struct SampleIndex: Hashable, Comparable, Sendable {
  /// The number of frames before this one.
  public let value: Int64

  /// Makes the index of the frame that has `value` frames before it.
  public init(_ value: Int64) { self.value = value }

  public static func < (one: SampleIndex, other: SampleIndex) -> Bool { one.value < other.value }

  public static func + (index: SampleIndex, count: FrameCount) -> SampleIndex {
    SampleIndex(index.value + count.value)
  }

  public static func - (index: SampleIndex, count: FrameCount) -> SampleIndex {
    SampleIndex(index.value - count.value)
  }

  public static func - (one: SampleIndex, other: SampleIndex) -> FrameCount {
    FrameCount(one.value - other.value)
  }
}

/// A number of sample frames (one sample of each channel).
public struct FrameCount: Hashable, Comparable, Sendable {
  /// The number of frames; negative where a difference went backwards.
  public let value: Int64

  /// Makes a count of `value` frames.
  public init(_ value: Int64) { self.value = value }

  /// No frames.
  public static let zero = FrameCount(0)

  public static func < (one: FrameCount, other: FrameCount) -> Bool { one.value < other.value }

  public static func + (one: FrameCount, other: FrameCount) -> FrameCount {
    FrameCount(one.value + other.value)
  }

  public static func - (one: FrameCount, other: FrameCount) -> FrameCount {
    FrameCount(one.value - other.value)
  }
}

/// A card's nominal number of frames a second.
public struct SampleRate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Frames a second, 1 or more.
  public let hertz: Int

  /// Makes a rate of `hertz` frames a second, which must be 1 or more.
  public init(hertz: Int) {
    precondition(hertz >= 1, "a sample rate is at least 1 Hz, not \(hertz)")
    self.hertz = hertz
  }

  /// The number of frames nearest to `duration`.
  public func frames(in duration: Duration) -> FrameCount {
    FrameCount(Int64((duration.inSeconds * Double(hertz)).rounded()))
  }

  /// The nominal length of `count` frames, to the nanosecond below.
  public func duration(of count: FrameCount) -> Duration {
    let (seconds, rest) = count.value.quotientAndRemainder(dividingBy: Int64(hertz))
    return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(hertz))
  }

  public var description: String { "\(hertz) Hz" }

  public static func < (one: SampleRate, other: SampleRate) -> Bool { one.hertz < other.hertz }
}

extension SampleIndex: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension FrameCount: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
