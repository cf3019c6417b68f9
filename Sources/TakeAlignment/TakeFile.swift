internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Units

/// A raw file of a take with all that is known of it: its log, its header, its place.
struct TakeFile: Sendable {
  let path: String
  /// What it is called in the report.
  let name: String
  let log: TimingLogFile
  let wave: WaveReader
  let fit: TimelineFit

  /// Fits `file` to shared time: to what its log says, or to times that were refitted from it.
  init(_ file: LoggedFile, refitted told: [TimingObservation]?) throws(AlignmentError) {
    (path, name, log, wave) = (file.path, file.name, file.log, file.wave)
    let repair = LogRepair(log)
    self.repair = repair
    observations = (told ?? log.observations).filter { repair.trusts($0.frame) }
      .map { $0.moved(by: repair) }
    do {
      fit = try TimelineFit(
        observations: observations, sampleRate: wave.format.sampleRate,
        loggedRate: log.loggedRate)
    } catch {
      throw .noFit(file: path, reason: error.description)
    }
  }

  /// What the log tells of frames that do not stand where they were taken.
  private let repair: LogRepair
  /// What rendering puts in and leaves out: the fit counts frames as they stand then.
  var edits: [RenderSource.Edit] { repair.edits }
  /// Frames once that is done.
  var repairedFrames: Int64 { Int64(edits.repaired(Double(wave.frames))) }

  /// What the fit rests on.
  let observations: [TimingObservation]

  /// When the file's sound ends, in shared time, to the nanosecond.
  var end: SharedInstant {
    let nanoseconds = fit.nanoseconds(ofFrame: Double(repairedFrames), since: log.header.t0)
    return log.header.t0 + .nanoseconds(Int64(nanoseconds.rounded()))
  }

  /// By how much the place of the file's ends may be further off than its bounds, in nanoseconds: where
  /// the log tells nothing the rate goes on as it was, which a crystal's does to within 1 ppm, and to
  /// within what the bounds leave open of it.
  var unloggedNanoseconds: Double {
    guard let first = observations.first?.frame, let last = observations.last?.frame else {
      return 0
    }
    let hertz = Double(wave.format.sampleRate.hertz)
    let told = max(Self.pace, Double(last - first) / hertz)
    let rate = 1e-6 * 1e9 + 2 * fit.jitterBoundNanoseconds / told
    return rate * max(0, unloggedSeconds(first, last) - Self.pace)
  }

  /// Readings come once a second.
  private static let pace = 2.0

  /// The longer one of the stretches before the first and behind the last reading.
  private func unloggedSeconds(_ first: Int64, _ last: Int64) -> Double {
    Double(max(first, repairedFrames - last)) / Double(wave.format.sampleRate.hertz)
  }

  /// When the take ends by this file's account.
  var takeEnd: SharedInstant { log.summary?.t1 ?? end }

  /// What to look at, in words.
  func warnings(boundFrames: Double) -> [String] {
    var warnings = wave.assumptions
    warnings += log.damage.warnings
    if log.summary == nil { warnings.append("the recording was interrupted: the log has no end") }
    if unloggedNanoseconds > 0, let first = observations.first, let last = observations.last {
      let seconds = LogRepair.thousandths(
        unloggedSeconds(first.frame, last.frame))
      warnings.append(
        "the log tells nothing of \(seconds) s of it, which are placed by the rate of the rest")
    }
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
