public import Units

/// The rates of other hosts' oscillators against this one's, as they were measured: two crystals
/// differ by the same to a ppm or two for months.
public struct RateBook: Hashable, Sendable, Codable {
  /// The most hosts whose rates are kept.
  public static let mostRates = 64
  /// What a rate may have changed by since, by temperature above all: ± 0.04 ppm/K² around 25 °C
  /// for a tuning fork, some ppm over a day for the crystals of computers.
  static let drift = ClockRate(partsPerMillion: 2)
  /// The doubt beyond which a rate is not worth keeping.
  static let worstDoubt = ClockRate(partsPerMillion: 2)

  /// A rate, as it was measured.
  public struct Entry: Hashable, Sendable, Codable {
    public let peer: PeerID
    /// By how much the peer's clock runs faster.
    public let rate: ClockRate

    /// Makes an entry.
    public init(peer: PeerID, rate: ClockRate) {
      self.peer = peer
      self.rate = rate
    }
  }

  /// The rates, the latest last; one a peer.
  public private(set) var entries: [Entry] = []

  /// Makes a book of entries, of which the last are kept; those that no oscillator has are not.
  public init(_ entries: [Entry] = []) {
    for entry in entries { note(entry.rate, of: entry.peer) }
  }

  /// Keeps the rate of a peer, in place of an earlier one.
  public mutating func note(_ rate: ClockRate, of peer: PeerID) {
    guard rate.fraction.isFinite, abs(rate.fraction) < 500e-6 else { return }
    entries.removeAll { $0.peer == peer }
    entries.append(Entry(peer: peer, rate: rate))
    if entries.count > Self.mostRates { entries.removeFirst() }
  }

  /// The rate of a peer, if it is known.
  public func rate(of peer: PeerID) -> ClockRate? {
    entries.first { $0.peer == peer }?.rate
  }
}
