internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Units

/// A raw file of a take with all that is known of it: its log, its header, its place.
struct TakeFile {
  let path: String
  /// What it is called in the report.
  let name: String
  let log: TimingLogFile
  let wave: WaveReader
  private(set) var fit: TimelineFit

  /// How far a log may run ahead of the audio of an interrupted recording.
  static let tornLead = Duration.seconds(2)

  /// Reads the log and the header of the sound file `input`, holds them against each other,
  /// and fits the file to shared time.
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
    let repair = LogRepair(log)
    self.repair = repair
    observations = log.observations.filter { repair.trusts($0.frame) }.map { $0.moved(by: repair) }
    do {
      fit = try TimelineFit(
        observations: observations, sampleRate: wave.format.sampleRate,
        loggedRate: log.loggedRate)
    } catch {
      throw .noFit(file: path, reason: error.description)
    }
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

  /// What the log tells of frames that do not stand where they were taken.
  private let repair: LogRepair
  /// What rendering puts in and leaves out: the fit counts frames as they stand then.
  var edits: [RenderSource.Edit] { repair.edits }
  /// Frames once that is done.
  var repairedFrames: Int64 { Int64(edits.repaired(Double(wave.frames))) }

  /// What the fit rests on.
  private(set) var observations: [TimingObservation]

  /// Fits the file to shared times that were refitted from its log.
  mutating func refit(_ told: [TimingObservation]) throws(AlignmentError) {
    observations = told.filter { repair.trusts($0.frame) }.map { $0.moved(by: repair) }
    do {
      fit = try TimelineFit(
        observations: observations, sampleRate: wave.format.sampleRate,
        loggedRate: log.loggedRate)
    } catch {
      throw .noFit(file: path, reason: error.description)
    }
  }

  /// When the file's sound ends, in shared time, to the nanosecond.
  var end: SharedInstant {
    let nanoseconds = fit.nanoseconds(ofFrame: Double(repairedFrames), since: log.header.t0)
    return log.header.t0 + .nanoseconds(Int64(nanoseconds.rounded()))
  }

  /// Whether this and `other` are of one take.
  func isOfTake(of other: TakeFile) -> Bool {
    let (one, other) = (log.header, other.log.header)
    return one.session.id == other.session.id && one.take == other.take
  }

  /// When the take ends by this file's account.
  var takeEnd: SharedInstant { log.summary?.t1 ?? end }

  /// What to look at, in words.
  func warnings(boundFrames: Double) -> [String] {
    var warnings = wave.assumptions
    warnings += log.damage.warnings
    if log.summary == nil { warnings.append("the recording was interrupted: the log has no end") }
    if log.summary?.isComplete == false {
      warnings.append("the file does not reach from the take's beginning to its end")
    }
    let lost = log.gaps.reduce(0) { $0 + $1.frames }
    if lost > 0 { warnings.append("\(lost) frames were lost and are silence") }
    warnings += repair.words
    if Set(log.clocks.map(\.generation)).count > 1 {
      warnings.append("shared time was re-joined while recording and may have stepped")
    }
    if fit.worstResidualNanoseconds > fit.boundNanoseconds {
      warnings.append("the log's times lie off a line by more than their bounds")
    }
    if boundFrames > 48 {
      warnings.append("the place is known to no better than \(Int(boundFrames)) frames")
    }
    return warnings
  }
}

extension TimingObservation {
  /// The observation of the same moment, by the frame as it stands once a file is repaired.
  fileprivate func moved(by repair: LogRepair) -> TimingObservation {
    TimingObservation(
      frame: Int64(repair.edits.repaired(Double(frame)).rounded()), shared: shared,
      jitterBoundNanoseconds: jitterBoundNanoseconds, pathLimitNanoseconds: pathLimitNanoseconds)
  }
}
