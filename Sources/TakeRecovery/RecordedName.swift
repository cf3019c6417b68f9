/// The parts of a file's name that the recorder gave: `<scene>-T<take>_<host>_<segment>`.
struct RecordedName {
  /// The number of the take.
  let number: Int
  /// The name of the host's `take.json`.
  let summary: String

  /// Nothing where `stem`, a name without ending, is another.
  init?(_ stem: String) {
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let segment = Int(parts[2]), segment >= 1,
      let mark = parts[0].lastIndex(of: "T"),
      let number = Int(parts[0][parts[0].index(after: mark)...])
    else { return nil }
    self.number = number
    summary = segment == 1 ? "\(parts[1]).take.json" : "\(parts[1])_\(parts[2]).take.json"
  }
}
