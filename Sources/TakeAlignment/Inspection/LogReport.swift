internal import Recording
internal import Units

/// What the timing log beside a file says, in short.
public struct LogReport: Encodable, Sendable {
  public let path: String
  public let takeName: String
  public let take: String
  public let session: String
  public let host: String
  /// Whether the log has its end; without one the recording was interrupted.
  public let hasEnd: Bool
  /// Whether the file reaches from T0 to T1, where the log has its end.
  public let isComplete: Bool?
  public let observations: Int
  public let gaps: Int
  public let lostFrames: Int64
  public let cardPPM: Double?
  /// How well the place of the first and the last observation was known.
  public let head: Place?
  public let tail: Place?

  private enum CodingKeys: String, CodingKey {
    case path
    case takeName = "take_name"
    case take, session, host
    case hasEnd = "has_end"
    case isComplete = "complete"
    case observations, gaps
    case lostFrames = "lost_frames"
    case cardPPM = "card_ppm"
    case head, tail
  }

  /// Where a frame lies in session time.
  public struct Place: Encodable, Sendable {
    public let frame: Int64
    public let sharedNanoseconds: Int64
    /// What measuring left open, either way.
    public let boundNanoseconds: Int64
    /// What asymmetry of the network's path could hide.
    public let pathLimitNanoseconds: Int64

    private enum CodingKeys: String, CodingKey {
      case frame
      case sharedNanoseconds = "shared_ns"
      case boundNanoseconds = "bound_ns"
      case pathLimitNanoseconds = "path_limit_ns"
    }

    init(_ clock: TimingLogClock) {
      frame = clock.frame
      sharedNanoseconds = clock.shared.nanoseconds
      boundNanoseconds = clock.jitterBoundNanoseconds + clock.cardBoundNanoseconds
      pathLimitNanoseconds = clock.pathLimitNanoseconds
    }
  }

  init(path: String, log: TimingLogFile) {
    self.path = path
    takeName = log.header.takeName
    take = log.header.take.description
    session = log.header.session.id.description
    host = log.header.label
    hasEnd = log.summary != nil
    isComplete = log.summary?.isComplete
    observations = log.clocks.count
    gaps = log.gaps.count
    lostFrames = log.gaps.reduce(0) { $0 + $1.frames }
    cardPPM = log.clocks.last?.cardPPM
    head = log.clocks.first.map { Place($0) }
    tail = log.clocks.last.map { Place($0) }
  }
}

/// What the `take.json` beside a file says, in short.
public struct TakeSummaryReport: Encodable, Sendable {
  public let path: String
  public let files: [String]
  public let frames: Int64
  public let gaps: Int
  public let isComplete: Bool

  private enum CodingKeys: String, CodingKey {
    case path, files, frames, gaps
    case isComplete = "complete"
  }

  /// What of the file is read.
  struct Stored: Decodable {
    let files: [String]
    let frames: Int64
    let gaps: Int
    let complete: Bool
  }

  init(path: String, stored: Stored) {
    self.path = path
    files = stored.files
    frames = stored.frames
    gaps = stored.gaps
    isComplete = stored.complete
  }
}
