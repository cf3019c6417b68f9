internal import Alignment
internal import BroadcastWave
internal import Units

extension TimecodeScene {
  /// What is rendered, with the entries' numbers: the files that have a place.
  var parts: [(index: Int, part: TakeAligner.Part)] {
    entries.indices.filter { entries[$0].isPlaced }.map { index in
      let entry = entries[index]
      let file = entry.file
      let source = RenderSource(
        path: file.path, channels: file.wave.format.channels, integerBits: file.integerBits,
        seed: file.stamp.samples)
      let subject = AlignedMetadata.Subject(
        name: file.name, wave: file.wave, description: file.name, originator: "recorder",
        course: course(of: entry), sampleRate: sampleRate, channels: file.wave.format.channels,
        frameRate: file.stamp.frameRate ?? frameRate, timeReference: timeReference, begins: nil)
      return (index, TakeAligner.Part(source: source, subject: subject))
    }
  }

  /// What the report says of entry number `index`.
  ///
  /// - Parameter isGuest: whether the timeline is a take's whose other files have timing logs.
  func file(_ index: Int, output: String, isCopy: Bool, isGuest: Bool) -> AlignedFile {
    let entry = entries[index]
    let file = entry.file
    let warnings = warnings(entry, isGuest: isGuest)
    let ppm = (frameSeconds * Double(sampleRate.hertz) - 1) * 1e6
    let map = [[0, entry.start], [file.length, entry.end]]
    return AlignedFile(
      path: file.path, output: output, label: file.label, peer: nil,
      frames: Int64(file.wave.frames), channels: file.wave.format.channels,
      sampleRateHertz: Int(file.hertz), offsetSeconds: entry.isPlaced ? entry.start : 0,
      ppm: entry.isPlaced ? ppm : 0, map: entry.isPlaced ? map : [],
      confidence: entry.isPlaced ? (warnings.isEmpty ? 1 : 0.5) : 0, matched: entry.isPlaced,
      verdict: entry.isPlaced ? (warnings.isEmpty ? .good : .check) : .bad,
      jitterBoundNanoseconds: entry.isPlaced ? Int64(file.boundSeconds * 1e9) : 0,
      pathLimitNanoseconds: 0, residualNanoseconds: 0, worstResidualNanoseconds: 0,
      observations: 0, gaps: 0, isCopy: isCopy, warnings: warnings)
  }

  /// What to look at, in words.
  private func warnings(_ entry: Entry, isGuest: Bool) -> [String] {
    let file = entry.file
    var words = file.wave.assumptions + file.stamp.remarks
    if let refusal = entry.refusal { return words + [refusal] }
    if file.stamp.frameRate == nil {
      words.append("it does not tell its timecode's rate, so its place is known to 42 ms at best")
    }
    if isGuest {
      words.append(
        "it has no timing log and is placed by its timecode: to a frame, if it was set by the "
          + "take's")
    }
    if entries.count == 1 { words.append("it is the only file: there is nothing to align it with") }
    return words
  }
}
