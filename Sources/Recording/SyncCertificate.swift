public import Units

/// How well a host's part of a take lies in shared time, and what that rests on.
public struct SyncCertificate: Hashable, Sendable, Codable {
  /// The take's first or last frame.
  public struct End: Hashable, Sendable, Codable {
    /// The frame, counted from the take's first on this host.
    public let frame: Int64
    /// How far after T0 the first frame was taken, or after T1 the last one.
    public let offsetNanoseconds: Int64
    /// By how much that may be off: the three below together.
    public let boundNanoseconds: Int64
    public let jitterBoundNanoseconds: Int64
    public let cardBoundNanoseconds: Int64
    public let pathLimitNanoseconds: Int64

    init(_ clock: TimingLogClock, frame: Int64, meant: SharedInstant) {
      self.frame = frame
      // A log may be damaged: its figures are clamped, and never trap.
      offsetNanoseconds = Int64(
        clamping: Int128(clock.shared.nanoseconds) - Int128(meant.nanoseconds))
      jitterBoundNanoseconds = clock.jitterBoundNanoseconds
      cardBoundNanoseconds = clock.cardBoundNanoseconds
      pathLimitNanoseconds = clock.pathLimitNanoseconds
      boundNanoseconds = Int64(
        clamping: Int128(clock.jitterBoundNanoseconds) + Int128(clock.cardBoundNanoseconds)
          + Int128(clock.pathLimitNanoseconds))
    }

    private enum CodingKeys: String, CodingKey {
      case frame
      case offsetNanoseconds = "offset_ns"
      case boundNanoseconds = "bound_ns"
      case jitterBoundNanoseconds = "jitter_bound_ns"
      case cardBoundNanoseconds = "card_bound_ns"
      case pathLimitNanoseconds = "path_limit_ns"
    }
  }

  /// Nothing where the timing log has no entry yet.
  public internal(set) var head: End?
  public internal(set) var tail: End?
  /// By how much the card ran faster than nominal by the host's clock, as known at the end.
  public internal(set) var cardPPM: Double?
  /// By how much shared time ran faster than the host's clock.
  public internal(set) var skewPPM: Double?
  public internal(set) var gaps = 0
  public internal(set) var lostFrames: Int64 = 0
  /// By how many frames the lost ones may be more or fewer.
  public internal(set) var gapBoundFrames: Int64 = 0
  /// The poorest kind of packet stamp: `kernel`, `scheduled`, `user`; nothing on a coordinator.
  public internal(set) var stamp: String?
  /// How many exchanges the log holds.
  public internal(set) var exchanges = 0
  /// Whose clocks were the measure, one after the other; the last 64.
  public internal(set) var coordinators: [TimingLogCoordinator] = []
  /// How often shared time may have stepped in the take.
  public internal(set) var steps = 0
  /// How often the host's wall clock was set in the take, which changes nothing.
  public internal(set) var wallSteps = 0
  /// How often the disk kept the writer waiting for longer than it should.
  public internal(set) var stalls = 0

  private enum CodingKeys: String, CodingKey {
    case head, tail, gaps, stamp, exchanges, coordinators, steps, stalls
    case cardPPM = "card_ppm"
    case skewPPM = "skew_ppm"
    case lostFrames = "lost_frames"
    case gapBoundFrames = "gap_bound_frames"
    case wallSteps = "wall_steps"
  }
}

/// Writes a certificate while a take's log is written, or from a log that is read.
public struct CertificateDraft: Sendable {
  static let mostCoordinators = 64
  /// Stamp kinds, the best first.
  private static let kinds = ["kernel", "scheduled"]

  private var certificate = SyncCertificate()
  private var first: (clock: TimingLogClock, frame: Int64)?
  private var last: (clock: TimingLogClock, frame: Int64)?

  public init() {}

  /// The newest place that is known, its frame counted within its file.
  public var lastClock: TimingLogClock? { last?.clock }

  /// Takes an entry in, of a file that begins with the take's frame `firstFrame`.
  public mutating func take(_ entry: TimingLogEntry, firstFrame: Int64 = 0) {
    switch entry {
    case .clock(let clock):
      let place = (clock, Self.sum(clock.frame, firstFrame))
      first = first ?? place
      last = place
      certificate.cardPPM = clock.cardPPM
      certificate.skewPPM = clock.skewPPM
    case .gap(let gap):
      certificate.gaps += 1
      certificate.lostFrames = Self.sum(certificate.lostFrames, gap.frames)
      certificate.gapBoundFrames = Self.sum(certificate.gapBoundFrames, gap.boundFrames)
    case .exchange(let exchange):
      certificate.exchanges += 1
      let found = [certificate.stamp, exchange.receiveKind, exchange.transmitKind]
      certificate.stamp = found.compactMap(\.self).max { Self.rank($0) < Self.rank($1) }
    case .coordinator(let coordinator):
      guard certificate.coordinators.last?.coordinator != coordinator.coordinator else { return }
      certificate.coordinators.append(coordinator)
      certificate.coordinators = certificate.coordinators.suffix(Self.mostCoordinators)
    case .generation: certificate.steps += 1
    case .wallStep: certificate.wallSteps += 1
    case .stall: certificate.stalls += 1
    case .header, .marker, .stop, .segment, .sessionLink, .alert, .summary, .other: break
    }
  }

  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    Int64(clamping: Int128(one) + Int128(other))
  }

  private static func rank(_ kind: String) -> Int { kinds.firstIndex(of: kind) ?? kinds.count }

  /// The certificate of what was taken in, of a take that was to last from `t0` to `t1`.
  public func certificate(t0: SharedInstant, t1: SharedInstant) -> SyncCertificate {
    var result = certificate
    result.head = first.map { SyncCertificate.End($0.clock, frame: $0.frame, meant: t0) }
    result.tail = last.map { SyncCertificate.End($0.clock, frame: $0.frame, meant: t1) }
    return result
  }
}
