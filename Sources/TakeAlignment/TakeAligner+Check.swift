internal import Alignment
internal import BroadcastWave
internal import Units

extension TakeAligner {
  /// What sound says of files that the clock has placed.
  ///
  /// Sound takes time: two microphones 10 m apart hear a clap 29 ms apart, and clocks that are
  /// right say so. So the difference is told as time and as metres, and never corrected.
  struct SoundCheck {
    let findings: [SoundFinding?]
    let warnings: [[String]]
    let pairs: [AlignedPair]
  }

  /// Metres that sound travels in a second, at 20 °C.
  static let soundSpeed = 343.0
  /// A difference beyond this many metres is no room's.
  static let widestScene = 50.0
  /// A rate that sound tells otherwise by more than this, in ppm, is no microphone's place.
  static let widestRate = 1.0

  func check(
    _ files: [TakeFile], timeline: Timeline, _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> SoundCheck {
    guard files.count > 1 else { throw .oneFileOnly(file: files.first?.path ?? ".") }
    var inputs: [SoundInput] = []
    for file in files { inputs.append(try SoundInput(path: file.path)) }
    let alignment = try Self.compared(inputs, reference: 0, progress)
    let scene = SoundScene(inputs: inputs, alignment: alignment)
    var findings: [SoundFinding?] = [nil]
    var warnings: [[String]] = [[]]
    for index in files.indices.dropFirst() {
      guard scene.isPlaced(index), var finding = scene.finding(index) else {
        findings.append(nil)
        warnings.append([
          "sound does not confirm the clock: it has nothing in common with "
            + "\"\(files[0].name)\" that chance does not explain"
        ])
        continue
      }
      let disagreement = Self.disagreement(
        of: files[index], with: files[0], place: alignment.places[index], since: timeline.start)
      finding.differenceSeconds = disagreement.seconds
      finding.differenceMetres = disagreement.seconds * Self.soundSpeed
      finding.differencePPM = disagreement.ppm
      findings.append(finding)
      let bound = (files[index].fit.boundNanoseconds + files[0].fit.boundNanoseconds) * 1e-9
      warnings.append(Self.words(finding, bound: bound))
    }
    return SoundCheck(findings: findings, warnings: warnings, pairs: scene.pairs)
  }

  /// By how much sound places the file later than the clock does, in its middle, and by how much
  /// its rate differs.
  private static func disagreement(
    of file: TakeFile, with reference: TakeFile, place: SoundPlace, since start: SharedInstant
  ) -> (seconds: Double, ppm: Double) {
    let hertz = Double(file.wave.format.sampleRate.hertz)
    let other = Double(reference.wave.format.sampleRate.hertz)
    let length = Double(file.wave.frames) / hertz
    func difference(_ own: Double) -> Double {
      let heard = place.timeline(at: own) * other
      let one = reference.fit.nanoseconds(ofFrame: heard, since: start)
      return (one - file.fit.nanoseconds(ofFrame: own * hertz, since: start)) * 1e-9
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
