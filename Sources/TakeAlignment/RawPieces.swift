/// The stretches of a raw file between which frames are missing or do not belong, as an editor that
/// plays the raw file lays them down.
enum RawPieces {
  /// A stretch: its frames, and the timeline's seconds that they fill.
  struct Piece: Hashable {
    let frames: Range<Int64>
    let timeline: Range<Double>
  }

  /// The stretches of `file`, which has its place.
  static func of(_ file: AlignedFile) -> [Piece] {
    let rate = Double(file.sampleRateHertz)
    var pieces: [Piece] = []
    var first: Int64 = 0
    let repairs = (file.repairs ?? []).sorted { $0.frame < $1.frame }
    for repair in repairs + [AlignedRepair(frame: file.frames, frames: 0)] {
      let last = min(file.frames, repair.frame)
      if last > first {
        let from = timeline(file.map, at: Double(first) / rate, isEnd: false, margin: 2 / rate)
        let to = timeline(file.map, at: Double(last) / rate, isEnd: true, margin: 2 / rate)
        if to > from { pieces.append(Piece(frames: first..<last, timeline: from..<to)) }
      }
      first = max(first, last + max(0, -repair.frames))
    }
    return pieces
  }

  /// Where the file's second `own` lies by its map; at a jump of it, on the side of the stretch that
  /// ends there or begins there: read `margin` seconds into it, since maps round.
  private static func timeline(
    _ map: [[Double]], at own: Double, isEnd: Bool, margin: Double
  ) -> Double {
    guard map.count > 1 else { return map.first?[1] ?? own }
    let inside = isEnd ? own - margin : own + margin
    var place = 0
    while place < map.count - 2, inside > map[place + 1][0] { place += 1 }
    let (one, two) = (map[place], map[place + 1])
    return one[1] + (own - one[0]) * (two[1] - one[1]) / (two[0] - one[0])
  }
}
