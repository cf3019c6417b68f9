public import Units

/// A host's part of a take, as lists and sound reports have it.
public struct HostTake: Hashable, Sendable, Codable {
  public var take: TakePlan
  public var peer: PeerID
  public var label: String
  public var t0: SharedInstant
  /// Nothing while it rolls.
  public var t1: SharedInstant?
  public var t0UnixNanoseconds: Int64?
  public var utcOffsetSeconds: Int32?
  public var frames: Int64
  public var sampleRateHertz: Int?
  public var bits: Int?
  public var channels: Int?
  /// The timecode of its first frame, with its rate.
  public var timecode: String?
  public var gaps: Int
  /// Nothing while it rolls, and where it was recovered after an interruption.
  public var verdict: TakeSummary.Verdict?
  /// What is open at the end, all together.
  public var boundNanoseconds: Int64?
  public var remarks: TakeRemarks?
  public var markers: Int
  public var folder: String
  public var files: [String]

  /// Makes it of what `take.json` in `folder` says.
  public init(_ summary: TakeSummary, peer: PeerID, label: String, folder: String) {
    take = summary.take
    self.peer = summary.peer ?? peer
    self.label = summary.label ?? label
    t0 = summary.t0
    t1 = summary.t1
    t0UnixNanoseconds = summary.t0UnixNanoseconds
    utcOffsetSeconds = summary.utcOffsetSeconds
    frames = summary.frames
    sampleRateHertz = summary.sampleRateHertz
    bits = summary.bits
    channels = summary.channels
    timecode = summary.timecode
    gaps = summary.gaps
    verdict = summary.verdict
    boundNanoseconds = summary.certificate?.tail?.boundNanoseconds
    remarks = summary.remarks
    markers = summary.markers?.count ?? 0
    self.folder = folder
    files = summary.files
  }

  /// Makes it of a take that rolls.
  public init(
    rolling take: TakePlan, peer: PeerID, label: String, t0: SharedInstant, frames: Int64,
    folder: String
  ) {
    self.take = take
    self.peer = peer
    self.label = label
    self.t0 = t0
    self.frames = frames
    gaps = 0
    markers = 0
    self.folder = folder
    files = []
  }

  /// The length in seconds, where the rate is known.
  public var seconds: Double? { sampleRateHertz.map { Double(frames) / Double(max(1, $0)) } }

  private enum CodingKeys: String, CodingKey {
    case take, peer, label, frames, bits, channels, timecode, gaps, verdict, remarks, markers
    case folder, files
    case t0 = "t0_shared_ns"
    case t1 = "t1_shared_ns"
    case t0UnixNanoseconds = "t0_unix_ns"
    case utcOffsetSeconds = "utc_offset_s"
    case sampleRateHertz = "sample_rate_hz"
    case boundNanoseconds = "bound_ns"
  }
}
