internal import Alignment
internal import BroadcastWave
internal import Units

extension TakeAligner {
  /// A file that has its place already, as sound is asked about it.
  struct CheckSubject {
    let path: String
    let name: String
    let course: RenderCourse
    let edits: [RenderSource.Edit]
    /// Nominal frames a second of the file.
    let hertz: Double
    let frames: Int64
    /// How far the truth may lie from its place, in seconds.
    let boundSeconds: Double

    /// The timeline's frame for a frame of the raw file.
    func timelineFrame(of raw: Double) -> Double { course.timelineFrame(of: edits.repaired(raw)) }
  }

  /// What sound says of files that have their place.
  ///
  /// Sound takes time: two microphones 10 m apart hear a clap 29 ms apart, and clocks that are
  /// right say so. So the difference is told as time and as metres, and never corrected.
  struct SoundCheck {
    /// By the files' paths.
    var findings: [String: SoundFinding] = [:]
    var warnings: [String: [String]] = [:]
    let pairs: [AlignedPair]

    /// Adds to `file` what sound says of it.
    func mark(_ file: inout AlignedFile) {
      file.sound = findings[file.path]
      guard let words = warnings[file.path], !words.isEmpty else { return }
      file.warnings += words
      if file.verdict == .good { file.verdict = .check }
    }
  }

  /// Metres that sound travels in a second, at 20 °C.
  static let soundSpeed = 343.0
  /// A difference beyond this many metres is no room's.
  static let widestScene = 50.0
  /// A rate that sound tells otherwise by more than this, in ppm, is no microphone's place.
  static let widestRate = 1.0

  /// Asks the sound about `files`, the first of which is the measure.
  ///
  /// - Parameter rate: the timeline's.
  func check(
    _ files: [CheckSubject], timeline rate: SampleRate, _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> SoundCheck {
    guard files.count > 1 else { throw .oneFileOnly(file: files.first?.path ?? ".") }
    var inputs: [SoundInput] = []
    for file in files { inputs.append(try SoundInput(Input(path: file.path, name: file.name))) }
    let alignment = try Self.compared(inputs, reference: 0, progress)
    let scene = SoundScene(inputs: inputs, alignment: alignment)
    var check = SoundCheck(pairs: scene.pairs)
    for index in files.indices.dropFirst() {
      let path = files[index].path
      guard scene.isPlaced(index), var finding = scene.finding(index) else {
        check.warnings[path] = [
          inputs[index].isSilent
            ? "it is silent, so sound says nothing of its place"
            : "sound does not confirm the clock: it has nothing in common with "
              + "\"\(inputs[0].name)\" that chance does not explain"
        ]
        continue
      }
      let disagreement = Self.disagreement(
        of: files[index], with: files[0], place: alignment.places[index], rate: rate)
      finding.differenceSeconds = disagreement.seconds
      finding.differenceMetres = disagreement.seconds * Self.soundSpeed
      finding.differencePPM = disagreement.ppm
      check.findings[path] = finding
      let bound = files[index].boundSeconds + files[0].boundSeconds
      check.warnings[path] = Self.words(finding, bound: bound)
    }
    return check
  }

  /// By how much sound places the file later than its place is, in its middle, and by how much
  /// its rate differs.
  private static func disagreement(
    of file: CheckSubject, with reference: CheckSubject, place: SoundPlace, rate: SampleRate
  ) -> (seconds: Double, ppm: Double) {
    let length = Double(file.frames) / file.hertz
    func difference(_ own: Double) -> Double {
      let heard = place.timeline(at: own) * reference.hertz
      let one = reference.timelineFrame(of: heard)
      return (one - file.timelineFrame(of: own * file.hertz)) / Double(rate.hertz)
    }
    let (low, high) = (0.1 * length, 0.9 * length)
    return (difference(length / 2), (difference(high) - difference(low)) / (high - low) * 1e6)
  }

  private static func words(_ finding: SoundFinding, bound: Double) -> [String] {
    var words: [String] = []
    let metres = abs(finding.differenceMetres ?? 0)
    if metres > widestScene + bound * soundSpeed {
      words.append(
        "sound and clock disagree by \(Int(metres.rounded())) m of travel, more than a scene has; "
          + "the clock's place is kept")
    }
    if abs(finding.differencePPM ?? 0) > widestRate {
      words.append(
        "sound and clock disagree on the rate by "
          + "\(tenths(finding.differencePPM ?? 0)) ppm; the clock's rate is kept")
    }
    let lost = finding.steps.filter { $0.cause.hasPrefix("lost") }
    if !lost.isEmpty {
      words.append(
        "sound jumps by \(lost.map { "\(Int($0.samples.rounded()))" }.joined(separator: ", ")) "
          + "samples that the timing log does not tell of")
    }
    if finding.isInverted { words.append("its polarity is the other way round") }
    return words
  }

  private static func tenths(_ value: Double) -> String {
    let whole = Int((value * 10).rounded())
    return "\(whole < 0 ? "-" : "")\(whole.magnitude / 10).\(whole.magnitude % 10)"
  }
}
