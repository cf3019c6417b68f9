public import PeerCore
public import Units

/// A probe of the coordinator's clock that was answered: evidence, as timing logs keep it.
public struct ClockExchange: Hashable, Sendable {
  /// Who was asked.
  public let coordinator: PeerID
  /// The four times and how they were taken.
  public let exchange: SyncExchange

  /// Makes a record of an exchange.
  public init(coordinator: PeerID, exchange: SyncExchange) {
    self.coordinator = coordinator
    self.exchange = exchange
  }
}
