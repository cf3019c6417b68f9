/// How many frames lie between the end of a stream and its new beginning.
///
/// A stream that stopped tells nothing of what it lost. But the line of before says which count
/// is reached by when, and the new stream says how far it is: the difference was lost. A look at
/// the new stream is late, never early, so of several the least difference is the best; how far
/// they lie apart tells how late that one may still be.
public struct Reattachment: BitwiseCopyable, Sendable {
  /// How many looks are wanted.
  public static var wantedLooks: Int { 32 }
  /// Of n looks spread evenly over a step w the least is later than 5w/n in one of 150 cases.
  private static var assurance: Double { 5 }
  /// What a single look leaves open, in nanoseconds: a period.
  private static var unknownNanoseconds: Double { 10_000_000 }

  private let line: StreamLine
  private let count: Int64
  private let sleptNanoseconds: Int64
  private var least = Double.infinity
  private var most = -Double.infinity
  private var lastHostNanoseconds: Int64
  /// How many looks there were.
  public private(set) var looks = 0

  /// Begins where `count` frames had been accounted for.
  ///
  /// - Parameter sleptNanoseconds: what the host's clock did not count meanwhile.
  public init(line: StreamLine, count: Int64, sleptNanoseconds: Int64) {
    self.line = line
    self.count = count
    self.sleptNanoseconds = sleptNanoseconds
    lastHostNanoseconds = line.hostNanoseconds
  }

  /// Takes in that the new stream had `available` frames to read at `hostNanoseconds`. A stream
  /// without frames may not have begun, and tells nothing.
  @_noLocks
  public mutating func look(available: Int64, hostNanoseconds: Int64) {
    guard available > 0 else { return }
    let passed = line.count(at: hostNanoseconds + sleptNanoseconds)
    let missing = passed - Double(count + available)
    least = min(least, missing)
    most = max(most, missing)
    lastHostNanoseconds = hostNanoseconds + sleptNanoseconds
    looks += 1
  }

  /// How many frames were lost, and by how many that may be wrong in one of a hundred cases.
  public var gap: (frames: Int64, boundFrames: Int64) {
    @_noLocks get {
      guard looks > 0 else { return (0, 0) }
      let step = looks > 1 ? (most - least) / Double(looks - 1) : 0
      var open = line.boundFrames(at: lastHostNanoseconds) + Self.assurance * step
      if looks < Self.wantedLooks / 4 { open += Self.unknownNanoseconds / line.nanosecondsPerFrame }
      return (Int64(max(0, least - step) + 0.5), Int64(open) + 1)
    }
  }
}
