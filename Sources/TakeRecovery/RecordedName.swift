/// The parts of a file's name that the recorder gave: `<scene>-T<take>_<host>[_<track>]_<segment>`.
struct RecordedName: Hashable {
  /// `<scene>-T<take>`.
  let take: String
  /// The number of the take.
  let number: Int
  /// `<label>-<peer>`.
  let host: String
  /// The recorder's channel, where each has a file of its own.
  let track: Int?
  /// From 1; 0 for what was kept safe while the first segment's beginning was not known.
  let segment: Int

  /// Nothing where `stem`, a name without ending, is another.
  init?(_ stem: String) {
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    guard (3...4).contains(parts.count), let segment = Int(parts[parts.count - 1]), segment >= 0,
      let mark = parts[0].lastIndex(of: "T"),
      let number = Int(parts[0][parts[0].index(after: mark)...])
    else { return nil }
    if parts.count == 4 {
      guard let track = Int(parts[2]), track >= 1 else { return nil }
      self.track = track
    } else {
      track = nil
    }
    take = String(parts[0])
    host = String(parts[1])
    self.number = number
    self.segment = segment
  }

  /// The name of the host's `take.json` where this is its first file.
  var summary: String {
    if segment <= 1 { return "\(host).take.json" }
    let digits = String(segment)
    let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
    return "\(host)_\(zeros)\(digits).take.json"
  }
}
