internal import FFT

/// What places look like at which two sounds have nothing in common but chance: windows of the one
/// against windows of the other half the overlap away.
struct Decoys: Sendable {
  private var one: Spectra
  private var other: Spectra
  private var known: Set<Int> = []

  /// Makes room for `count` pairs of windows, spread over the overlap in their order.
  init(count: Int) {
    one = Spectra(count: count, bins: WindowPair.bins)
    other = one
  }

  /// Takes note of pair number `pair` of `spectra` as number `number`.
  mutating func take(_ spectra: Spectra, pair: Int, as number: Int) {
    guard known.insert(number).inserted else { return }
    one.set(number, to: spectra, 2 * pair)
    other.set(number, to: spectra, 2 * pair + 1)
  }

  /// The sum of all decoys over their delays, each in units of its spread.
  func sums(by transform: borrowing BatchFFT, used: Range<Int>) -> [Float] {
    var sums = [Float](repeating: 0, count: WindowPair.count)
    InverseTransforms.run(0..<one.count, transform) { number, spectra, lane in
      spectra.setWhitenedCross(
        lane, of: (one, number), and: (other, (number + one.count / 2) % one.count), in: used)
    } take: { _, values, lane in
      Evidence.add(values, lane: lane, to: &sums)
    }
    return sums
  }
}
