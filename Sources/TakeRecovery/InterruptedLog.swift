internal import FoundationEssentials
internal import Recording
internal import Units

/// A timing log that was left open, as far as it counts, and how it ends.
struct InterruptedLog {
  let header: TimingLogHeader
  /// The bytes that whole entries take.
  let wholeLength: UInt64
  private var last: TimingLogClock?
  private var gaps = 0
  /// How the log ends, where it got so far.
  private(set) var summary: TimingLogSummary?

  static let sizeLimit: UInt64 = 1 << 30

  /// Reads a log's bytes; nothing where it does not begin as one. Frames from `frames` on are not
  /// in the sound file.
  init?(bytes: [UInt8], frames: UInt64) {
    let decoder = JSONDecoder()
    var found: TimingLogHeader?
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let entry: TimingLogEntry
      do { entry = try decoder.decode(TimingLogEntry.self, from: Data(bytes[start..<end])) } catch {
        break
      }
      switch entry {
      case .header(let header): found = found ?? header
      case .clock(let clock): if clock.frame < Int64(clamping: frames) { last = clock }
      case .gap: gaps += 1
      case .summary(let ending): summary = ending
      default: break
      }
      if found == nil { return nil }
      start = end + 1
    }
    guard let found, found.version == TimingLogEntry.version else { return nil }
    header = found
    wholeLength = UInt64(start)
  }

  /// When the last of `frames` frames was taken, by the last account of the log.
  private func lastShared(frames: UInt64) -> SharedInstant {
    let place = max(0, Int64(clamping: frames) - 1)
    let from = (frame: last?.frame ?? 0, shared: last?.shared ?? header.firstShared)
    let rate = Int64(max(1, header.sampleRateHertz))
    let rest = place - from.frame
    return from.shared + .seconds(rest / rate) + .nanoseconds(rest % rate * 1_000_000_000 / rate)
  }

  /// The line that ends the log of a recording that was interrupted after `frames` frames.
  func ending(frames: UInt64) -> TimingLogSummary {
    let instant = lastShared(frames: frames)
    return TimingLogSummary(
      frames: Int64(clamping: frames), t1: instant, lastShared: instant, gaps: gaps,
      isComplete: false, isRecovered: true)
  }

  /// What `take.json` says of it, or nothing where the file's name is not one that was given to it:
  /// the number of the take stands nowhere else.
  func takeSummary(stem: String, frames: UInt64) -> (path: String, summary: TakeSummary)? {
    let name = Folder.name(of: stem)
    let parts = name.split(separator: "_")
    guard parts.count == 3, let segment = Int(parts[2]),
      let mark = parts[0].lastIndex(of: "T"),
      let number = Int(parts[0][parts[0].index(after: mark)...])
    else { return nil }
    let ending = summary ?? ending(frames: frames)
    let file = segment == 1 ? "\(parts[1]).take.json" : "\(parts[1])_\(parts[2]).take.json"
    return (
      String(stem.dropLast(name.count)) + file,
      TakeSummary(
        take: TakePlan(id: header.take, name: header.takeName, number: number), t0: header.t0,
        t1: ending.t1, files: [name + ".wav"], timingLogs: [name + ".timing.jsonl"],
        frames: ending.frames, gaps: gaps, isComplete: ending.isComplete, last: last)
    )
  }
}
