internal import BroadcastWave
internal import Recording

/// What is marked in a take, by its frames on this host.
struct TakeMarks: Sendable {
  /// The most markers of a take; further ones stand in the timing log alone.
  static let mostMarkers = 10_000

  /// What a file of the take has of it, by its own frames.
  struct Part: Sendable {
    var cues: [CuePoint] = []
    var syncPoints: [IXML.SyncPoint] = []
    var gaps = 0
  }

  private struct Gap: Sendable {
    let frame: Int64
    let text: String
  }

  /// What people and the recorder itself marked.
  private(set) var people: [TimingLogMarker] = []
  private var gaps: [Gap] = []
  private(set) var gapCount = 0

  mutating func add(_ marker: TimingLogMarker) {
    if people.count < Self.mostMarkers { people.append(marker) }
  }

  mutating func addGap(_ text: String, frame: Int64) {
    gapCount += 1
    if gaps.count < Self.mostMarkers { gaps.append(Gap(frame: frame, text: text)) }
  }

  /// What lies within `frames` frames from `first` on. A last file's end may be marked too.
  func of(_ first: Int64, frames: Int64, isLast: Bool) -> Part {
    let end = first + frames + (isLast ? 1 : 0)
    let isWithin = { (frame: Int64) in frame >= first && frame < end }
    var part = Part()
    for marker in people where isWithin(marker.frame) {
      let frame = UInt64(marker.frame - first)
      part.cues.append(CuePoint(frame: frame, text: marker.text))
      part.syncPoints.append(
        IXML.SyncPoint(function: "MARKER_GENERIC", comment: marker.text, sample: frame))
    }
    for gap in gaps where isWithin(gap.frame) {
      part.cues.append(CuePoint(frame: UInt64(gap.frame - first), text: gap.text))
      part.gaps += 1
    }
    part.cues.sort { ($0.frame, $0.text) < ($1.frame, $1.text) }
    part.syncPoints.sort { ($0.sample, $0.comment ?? "") < ($1.sample, $1.comment ?? "") }
    return part
  }
}
