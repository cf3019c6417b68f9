/// What recording costs, beside `arecord` on the same card at the same time.
public struct BenchReport: Hashable, Sendable, Encodable {
  public struct Recorder: Hashable, Sendable, Encodable {
    /// Of one core, in percent.
    public var cpuPercent: Double
    public var memoryBytes: Int64
    public var frames: Int64

    private enum CodingKeys: String, CodingKey {
      case cpuPercent = "cpu_percent"
      case memoryBytes = "memory_bytes"
      case frames
    }
  }

  public struct Case: Hashable, Sendable, Encodable {
    public var channels: Int
    public var sampleRateHertz: Int
    public var seconds: Double
    public var recorder: Recorder
    public var arecord: Recorder
    /// What a frame costs here for what it costs `arecord`, which records fewer where it is not
    /// fast enough.
    public var cpuRatio: Double
    /// Frames that `arecord` lost.
    public var arecordLost: Int64
    /// Of the recorder's memory, the ring's.
    public var ringBytes: Int64
    public var gaps: Int
    /// How far the writer was behind the card at most, in seconds, and the longest write in
    /// milliseconds.
    public var mostBehindSeconds: Double
    public var slowestWriteMs: Double
    public var warnings: [String]

    private enum CodingKeys: String, CodingKey {
      case channels
      case sampleRateHertz = "sample_rate_hz"
      case seconds
      case recorder
      case arecord
      case cpuRatio = "cpu_ratio"
      case arecordLost = "arecord_lost_frames"
      case ringBytes = "ring_bytes"
      case gaps
      case mostBehindSeconds = "most_behind_s"
      case slowestWriteMs = "slowest_write_ms"
      case warnings
    }
  }

  public let schema = "recorder.bench.capture/1"
  public var cases: [Case] = []
  /// How many cores the machine has.
  public var cores: Int

  /// Whether nothing was lost.
  public var isWhole: Bool { cases.allSatisfy { $0.gaps == 0 } }
}
