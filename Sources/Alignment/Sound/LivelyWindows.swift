/// Chooses windows in which something happens: of sounds with long pauses, such as claps, windows at
/// even distances would mostly hear none.
struct LivelyWindows {
  private let envelope: BandEnvelope
  /// Frames of the envelope in a window.
  private static let frames = WindowPair.count / BandEnvelope.hop

  init(of envelope: BandEnvelope) { self.envelope = envelope }

  /// At most `limit` windows within `range`, in samples: the liveliest of each equal part of it.
  func positions(in range: Range<Int64>, limit: Int) -> [Int64] {
    let even = SoundPair.positions(in: range, limit: limit)
    guard even.count > 1 else { return even }
    let part = (range.upperBound - range.lowerBound - Int64(WindowPair.count)) / Int64(even.count)
    // Where they lie close together anyway there is nothing to choose.
    guard part > Int64(WindowPair.count / 2) else { return even }
    return even.indices.map { number in
      let first = range.lowerBound + part * Int64(number)
      return liveliest(in: first..<first + part) ?? even[number]
    }
  }

  /// Where within `range`, in samples, the window begins in which most happens.
  private func liveliest(in range: Range<Int64>) -> Int64? {
    let hop = Int64(BandEnvelope.hop)
    let low = Int(range.lowerBound / hop)
    let high = min(envelope.frames, Int(range.upperBound / hop) + Self.frames)
    guard low >= 0, high - low > Self.frames else { return nil }
    let lively = envelope.liveliness(in: low..<high)
    // What happens in the window's middle counts, as the window's shape has it.
    let (edge, middle) = (Self.frames / 4, Self.frames / 2)
    var sum = lively[edge..<edge + middle].reduce(0, +)
    var best = (place: 0, sum: sum)
    for place in 1...(high - low - Self.frames) {
      sum += lively[place + edge + middle - 1] - lively[place + edge - 1]
      if sum > best.sum { best = (place, sum) }
    }
    return min(range.upperBound, max(range.lowerBound, Int64(low + best.place) * hop))
  }
}
