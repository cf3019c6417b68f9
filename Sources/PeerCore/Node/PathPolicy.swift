/// The numbers of ``PathTable``.
public struct PathPolicy: Hashable, Sendable {
  /// The most paths that are remembered for a peer.
  public let most: Int
  /// After how long a silence the path in use is asked whether it lives.
  public let askAfter: Duration
  /// The time between two such questions.
  public let askInterval: Duration
  /// After how long a silence another path that is heard takes over.
  public let silentAfter: Duration
  /// How often another path must have been heard in that silence: one packet proves little where
  /// many are lost.
  public let leastHeard: Int
  /// After how long a silence a path has to prove anew that it holds.
  public let brokenAfter: Duration
  /// For how long a better path must have been heard without a break before it is used again, and
  /// the one in use must have been used.
  public let steadyAfter: Duration
  /// The time between two questions to a better path than the one in use.
  public let careInterval: Duration
  /// Each how many such times the coordinator's other paths are measured: while a take is armed or
  /// rolling, and as long as little is known of them.
  public let careRounds: Int
  /// Each how many of those times they are measured while nothing depends on it: a hundred idle
  /// hosts that do so cost their coordinator as much as all their questions for the time.
  public let idleRounds: Int

  /// Makes a policy; every limit is 1 or more, every span positive, and they grow in this order.
  public init(
    most: Int = 8, askAfter: Duration = .milliseconds(700),
    askInterval: Duration = .milliseconds(150), silentAfter: Duration = .milliseconds(1500),
    leastHeard: Int = 2, brokenAfter: Duration = .milliseconds(2500),
    steadyAfter: Duration = .seconds(4), careInterval: Duration = .seconds(1),
    careRounds: Int = 5, idleRounds: Int = 12
  ) {
    precondition(
      most >= 1 && leastHeard >= 1 && careRounds >= 1 && idleRounds >= 1,
      "every limit is 1 or more")
    precondition(
      .zero < askInterval && askInterval < askAfter && askAfter < silentAfter
        && silentAfter < brokenAfter && brokenAfter < steadyAfter && .zero < careInterval,
      "a path is asked before it is given up, and breaks before it holds again")
    self.most = most
    self.askAfter = askAfter
    self.askInterval = askInterval
    self.silentAfter = silentAfter
    self.leastHeard = leastHeard
    self.brokenAfter = brokenAfter
    self.steadyAfter = steadyAfter
    self.careInterval = careInterval
    self.careRounds = careRounds
    self.idleRounds = idleRounds
  }
}
