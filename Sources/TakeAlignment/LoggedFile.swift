internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Units

/// A raw file of a take with its timing log, before it has a place.
struct LoggedFile: Sendable {
  let path: String
  /// What it is called in the report.
  let name: String
  let log: TimingLogFile
  let wave: WaveReader

  /// How far a log may run ahead of the audio of an interrupted recording.
  static let tornLead = Duration.seconds(2)

  /// Reads the log and the header of the sound file `input` and holds them against each other.
  init(_ input: TakeAligner.Input) throws(AlignmentError) {
    path = input.path
    name = input.name
    let logPath = TimingLogFile.path(ofSound: path)
    let file = try InputFile(path: path)
    do {
      wave = try WaveReader(length: file.length) { offset, count throws(WaveError) in
        try file.read(at: offset, count: count)
      }
    } catch {
      throw .unreadable(file: path, reason: error.description)
    }
    guard TakeFolder.exists(logPath) else { throw .noTimingLog(file: path, log: logPath) }
    log = try TimingLogFile(path: logPath)
    if let reason = Self.contradiction(log: log, wave: wave) {
      throw .contradiction(file: path, reason: reason)
    }
  }

  /// Whether this and `other` are of one take.
  func isOfTake(of other: LoggedFile) -> Bool {
    let (one, other) = (log.header, other.log.header)
    return one.session.id == other.session.id && one.take == other.take
  }

  /// In what the log and the sound contradict each other, or nothing.
  static func contradiction(log: TimingLogFile, wave: WaveReader) -> String? {
    let header = log.header
    let format = wave.format
    if header.sampleRateHertz != format.sampleRate.hertz {
      return "the log is of \(header.sampleRateHertz) Hz, the sound of \(format.sampleRate)"
    }
    if header.channels != format.channels {
      return "the log is of \(header.channels) channels, the sound of \(format.channels)"
    }
    let frames = Int64(wave.frames)
    if let summary = log.summary, summary.frames != frames {
      return "the log counts \(summary.frames) frames, the sound has \(frames)"
    }
    let lead = format.sampleRate.frames(in: tornLead).value
    if let last = log.clocks.map(\.frame).max(), last > frames + lead {
      return "the log speaks of frame \(last), the sound ends at frame \(frames)"
    }
    return nil
  }
}
