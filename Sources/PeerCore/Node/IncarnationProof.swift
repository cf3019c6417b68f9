public import Units

/// Which run of which peer.
public struct PeerRun: Hashable, Sendable {
  public let peer: PeerID
  public let incarnation: Incarnation

  /// Makes the name of a run.
  public init(peer: PeerID, incarnation: Incarnation) {
    self.peer = peer
    self.incarnation = incarnation
  }
}

/// Asks runs of peers for a proof that they live, and judges it.
///
/// Whatever is recorded on a network can be played again. Only who lives now can give back a
/// nonce drawn now; until then a beacon is a hint of an address and nothing more.
public struct IncarnationProof: Sendable {
  /// Send a challenge.
  public struct Challenge: Hashable, Sendable {
    public let nonce: ChallengeNonce
    public let path: PathAddress
  }

  private struct Candidate: Sendable {
    let nonce: ChallengeNonce
    var path: PathAddress
    let began: HostInstant
    var tries: Int
    var nextTry: HostInstant
    /// What the run says of itself: to be believed once it is proved.
    var beacon: Beacon?

    /// When it is to be asked again, or given up.
    var turn: HostInstant { min(nextTry, began + IncarnationProof.lifetime) }
  }

  /// How often one nonce is sent, and how long it may take to come back.
  static let mostTries = 16
  static let firstPause = Duration.milliseconds(50)
  static let longestPause = Duration.milliseconds(400)
  static let lifetime = Duration.seconds(6)

  private let limit: Int
  private var candidates: [PeerRun: Candidate] = [:]
  /// Nobody is to be asked again, or given up, before this: while hundreds prove themselves at once,
  /// not all of them are looked at for each datagram.
  private var nextTurn: HostInstant?

  /// Makes a judge of up to `limit` runs at a time.
  public init(limit: Int) { self.limit = limit }

  /// How many runs are being asked.
  public var count: Int { candidates.count }

  /// No later than the earliest time at which ``advance(to:)`` has something to do.
  public var nextWakeup: HostInstant? { candidates.isEmpty ? nil : nextTurn }

  /// Takes a hint that `run` may be reached at `path`; the challenge to send, if it is time.
  public mutating func hint(
    _ run: PeerRun, path: PathAddress, generator: inout some RandomNumberGenerator,
    at now: HostInstant
  ) -> Challenge? {
    if candidates[run] != nil {
      candidates[run]?.path = path
      return nil
    }
    guard candidates.count < limit else { return nil }
    let nonce = ChallengeNonce(from: &generator)
    watch(
      run,
      as: Candidate(
        nonce: nonce, path: path, began: now, tries: 1, nextTry: now + Self.firstPause))
    return Challenge(nonce: nonce, path: path)
  }

  /// Asks `run` again at `instant`, though it has proved that it lives: until then another run is
  /// taken for the living one.
  public mutating func postpone(
    _ run: PeerRun, path: PathAddress, saying beacon: Beacon?, until instant: HostInstant,
    generator: inout some RandomNumberGenerator
  ) {
    guard candidates.count < limit else { return }
    watch(
      run,
      as: Candidate(
        nonce: ChallengeNonce(from: &generator), path: path, began: instant, tries: 0,
        nextTry: instant, beacon: beacon))
  }

  /// The run of `peer` that was taken for the living one is over: those that were put off for its sake
  /// are asked at once.
  public mutating func hasten(_ peer: PeerID, at now: HostInstant) {
    let waiting = candidates.filter { run, candidate in
      run.peer == peer && candidate.tries == 0 && candidate.nextTry > now
    }
    for (run, candidate) in waiting {
      var candidate = candidate
      candidate.nextTry = now
      watch(run, as: candidate)
    }
  }

  private mutating func watch(_ run: PeerRun, as candidate: Candidate) {
    let turn = candidate.turn
    nextTurn = candidates.isEmpty ? turn : min(nextTurn ?? turn, turn)
    candidates[run] = candidate
  }

  /// Keeps what `run` says of itself until it is proved.
  public mutating func note(_ beacon: Beacon, of run: PeerRun) { candidates[run]?.beacon = beacon }

  /// What `run`, which is being asked, said of itself last.
  public func beacon(of run: PeerRun) -> Beacon? { candidates[run]?.beacon }

  /// Whether `nonce` proves that `run` lives. A proof counts once.
  public mutating func accepts(
    _ nonce: ChallengeNonce, of run: PeerRun, at now: HostInstant
  ) -> Bool {
    guard let candidate = candidates[run], candidate.nonce == nonce,
      now < candidate.began + Self.lifetime
    else { return false }
    candidates[run] = nil
    return true
  }

  /// The challenges to repeat at `now`, in the order of their runs.
  public mutating func advance(to now: HostInstant) -> [Challenge] {
    guard let next = nextWakeup, next <= now else { return [] }
    var challenges: [Challenge] = []
    let due = candidates.filter { $0.value.turn <= now }
    let order = due.keys.sorted {
      ($0.peer, $0.incarnation.nonce) < ($1.peer, $1.incarnation.nonce)
    }
    for run in order {
      guard var candidate = candidates[run] else { continue }
      if now >= candidate.began + Self.lifetime {
        candidates[run] = nil
        continue
      }
      if candidate.tries == Self.mostTries {
        candidate.nextTry = candidate.began + Self.lifetime
      } else {
        challenges.append(Challenge(nonce: candidate.nonce, path: candidate.path))
        candidate.nextTry =
          now + min(Self.longestPause, Self.firstPause * (1 << min(candidate.tries, 4)))
        candidate.tries += 1
      }
      candidates[run] = candidate
    }
    nextTurn = candidates.values.lazy.map(\.turn).min()
    return challenges
  }
}
