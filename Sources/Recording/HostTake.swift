public import Units

/// A host's part of a take, as lists and sound reports have it.
public struct HostTake: Hashable, Sendable, Codable {
  /// The most files that are listed: what fits into one answer over the network.
  public static let mostFiles = 400

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
  /// How many further files it has, which `take.json` lists; nothing where these are all.
  public var filesLeft: Int?
  /// TimeReference of its first frame.
  public var timeReference: UInt64?
  /// The frame of the take that each file begins with, and the channel that it holds where each
  /// has a file of its own (0: all), in the order of ``files``; nothing where that is not told.
  public var firstFrames: [Int64]?
  public var tracks: [Int]?

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
    timeReference = summary.timeReference
    let details = summary.fileDetails?.map(\.name) == files ? summary.fileDetails : nil
    firstFrames = details?.map(\.firstFrame)
    tracks = details?.map { $0.track ?? 0 }
    guard files.count > Self.mostFiles else { return }
    filesLeft = files.count - Self.mostFiles
    files.removeLast(files.count - Self.mostFiles)
    // Beginnings of the next segment's tracks are kept, which tell where the last ones listed end.
    firstFrames = firstFrames.map { Array($0.prefix(Self.mostFiles + 64)) }
    tracks = tracks.map { Array($0.prefix(Self.mostFiles + 64)) }
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

  /// The frames of file number `place`: up to where the next of its track begins.
  public func frames(ofFile place: Int) -> Range<Int64> {
    guard let firstFrames, firstFrames.indices.contains(place) else { return 0..<max(0, frames) }
    let first = firstFrames[place]
    let track = tracks?[place]
    let next = firstFrames.indices.filter { $0 > place && tracks?[$0] == track }
      .map { firstFrames[$0] }.min()
    return first..<max(first, next ?? frames)
  }

  private enum CodingKeys: String, CodingKey {
    case take, peer, label, frames, bits, channels, timecode, gaps, verdict, remarks, markers
    case folder, files, tracks
    case timeReference = "time_reference"
    case firstFrames = "first_frames"
    case filesLeft = "files_left"
    case t0 = "t0_shared_ns"
    case t1 = "t1_shared_ns"
    case t0UnixNanoseconds = "t0_unix_ns"
    case utcOffsetSeconds = "utc_offset_s"
    case sampleRateHertz = "sample_rate_hz"
    case boundNanoseconds = "bound_ns"
  }
}
