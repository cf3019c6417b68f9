/// The numbers of ``Election``.
public struct ElectionPolicy: Hashable, Sendable {
  /// How long a new node listens before it thinks of leading.
  public let settle: Duration
  /// How long a coordinator may be silent before its followers look for another.
  public let coordinatorSilence: Duration
  /// How long each better candidate is waited for.
  public let patience: Duration
  /// How long a follower stays with a living coordinator that another one's term exceeds, so that
  /// the two can settle it among themselves.
  public let loyalty: Duration

  /// How long a host may do nothing at all and still trust what it knew: less than the silence after
  /// which it is replaced, which began with the last that was heard of it.
  public let longestSleep: Duration

  /// Makes a policy of positive spans.
  public init(
    settle: Duration = .milliseconds(700), coordinatorSilence: Duration = .seconds(2),
    patience: Duration = .milliseconds(400), loyalty: Duration = .milliseconds(600)
  ) {
    let spans = [settle, coordinatorSilence, patience, loyalty]
    precondition(spans.allSatisfy { $0 > .zero }, "every span is positive: \(spans)")
    self.settle = settle
    self.coordinatorSilence = coordinatorSilence
    self.patience = patience
    self.loyalty = loyalty
    longestSleep = coordinatorSilence * 3 / 4
  }
}
