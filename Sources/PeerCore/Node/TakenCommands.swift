internal import Units

/// Up to which number the commands of each run of each peer have had their effect.
///
/// A run is remembered also when its peer is forgotten or another run of it is known: where two live
/// under one id, as after a disk was copied, they are known in turns, and each sends again what was
/// not acknowledged.
struct TakenCommands: Sendable {
  /// The most runs that are remembered: twice as many as there may be peers. Beyond that the one that
  /// was silent for longest is forgotten.
  static let mostRuns = 2 * DatagramOpener.mostPeers

  private var known: [PeerRun: (highest: UInt64, turn: UInt64)] = [:]
  private var lastTurn: UInt64 = 0

  /// How many runs are remembered.
  var count: Int { known.count }

  /// Takes note of the command `number` of `run`; whether it is above all before it.
  mutating func take(_ number: UInt64, of run: PeerRun) -> Bool {
    let before = known[run]
    if let before, number <= before.highest { return false }
    if before == nil, known.count >= Self.mostRuns { forgetOldest() }
    lastTurn += 1
    known[run] = (number, lastTurn)
    return true
  }

  private mutating func forgetOldest() {
    guard let oldest = known.min(by: { $0.value.turn < $1.value.turn })?.key else { return }
    known[oldest] = nil
  }
}
