internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// A timing log that was left open, as far as it counts, and how it ends.
struct InterruptedLog {
  let header: TimingLogHeader
  /// Where the last whole entry ends, in bytes.
  let wholeLength: UInt64
  private var last: TimingLogClock?
  private var gaps = 0
  /// How many damaged lines within it were passed over.
  private(set) var damagedLines = 0
  /// Markers and gaps within the sound, as the recorder puts them behind the audio.
  private(set) var cues: [CuePoint] = []
  /// How the log ends, where it got so far.
  private(set) var summary: TimingLogSummary?

  static let sizeLimit: UInt64 = 1 << 30
  /// The most cues that are put behind the audio.
  static let cueLimit = 10_000

  /// Reads a log's bytes; nothing where it does not begin as one. Frames from `frames` on are not
  /// in the sound file.
  init?(bytes: [UInt8], frames: UInt64) {
    let decoder = JSONDecoder()
    var found: TimingLogHeader?
    var (start, whole) = (0, 0)
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let entry: TimingLogEntry
      do { entry = try decoder.decode(TimingLogEntry.self, from: Data(bytes[start..<end])) } catch {
        // What stands behind a damaged line is evidence still.
        if found == nil { return nil }
        damagedLines += 1
        start = end + 1
        continue
      }
      switch entry {
      case .header(let header): found = found ?? header
      case .clock(let clock): if clock.frame < Int64(clamping: frames) { last = clock }
      case .gap(let gap):
        gaps += 1
        let text = "gap: \(gap.frames) frames lost (\(gap.cause))"
        Self.add(text, at: gap.frame, to: &cues, frames: frames)
      case .marker(let marker): Self.add(marker.text, at: marker.frame, to: &cues, frames: frames)
      case .summary(let ending): summary = ending
      default: break
      }
      if found == nil { return nil }
      start = end + 1
      whole = start
    }
    guard let found, found.version == TimingLogEntry.version else { return nil }
    header = found
    wholeLength = UInt64(whole)
  }

  private static func add(
    _ text: String, at frame: Int64, to cues: inout [CuePoint], frames: UInt64
  ) {
    guard frame >= 0, UInt64(frame) < frames, cues.count < cueLimit else { return }
    cues.append(CuePoint(frame: UInt64(frame), text: text))
  }

  /// When the last of `frames` frames was taken, by the last account of the log. Figures of a damaged
  /// log that lead out of all time are not followed.
  private func lastShared(frames: UInt64) -> SharedInstant {
    let place = max(0, Int64(clamping: frames) - 1)
    let from = (frame: last?.frame ?? 0, shared: last?.shared ?? header.firstShared)
    let rate = Int128(max(1, header.sampleRateHertz))
    let rest = (Int128(place) - Int128(from.frame)) * 1_000_000_000 / rate
    let instant = Int64(exactly: Int128(from.shared.nanoseconds) + rest)
    return instant.flatMap(SharedInstant.init(checking:)) ?? from.shared
  }

  /// The line that ends the log of a recording that was interrupted after `frames` frames.
  func ending(frames: UInt64) -> TimingLogSummary {
    let instant = lastShared(frames: frames)
    return TimingLogSummary(
      frames: Int64(clamping: frames), t1: instant, lastShared: instant, gaps: gaps,
      isComplete: false, isRecovered: true)
  }
}
