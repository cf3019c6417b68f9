internal import Alignment
internal import BroadcastWave
internal import Units

extension SoundScene {
  func report(of outcomes: [Rendered], folder: String, format: RenderFormat) -> AlignmentReport {
    var files: [String: AlignedFile] = [:]
    for index in inputs.indices {
      var file = file(index, output: outcomes[index].path, format: format)
      outcomes[index].mark(&file)
      files[inputs[index].name] = file
    }
    let range = range
    var report = AlignmentReport(
      take: nil, takeName: "", session: nil, output: folder,
      reference: inputs[alignment.reference].name, sampleRateHertz: Int(hertz),
      frames: range.upperBound - range.lowerBound, startShared: nil,
      timeReference: timeReference, files: files)
    report.method = "sound"
    report.pairs = pairs
    return report
  }

  /// What the page shows of each file's comparison with the reference.
  var series: [String: PageSeries] {
    var series: [String: PageSeries] = [:]
    for finding in alignment.findings where finding.one == reference {
      guard let comparison = finding.comparison, finding.isFound else { continue }
      series[inputs[finding.other].name] = PageSeries(of: comparison, hertz: alignment.hertz)
    }
    return series
  }

  var pairs: [AlignedPair] {
    zip(alignment.findings, alignment.closures).map { finding, closure in
      let comparison = finding.comparison
      return AlignedPair(
        one: inputs[finding.one].name, other: inputs[finding.other].name,
        matched: finding.isFound, sigmas: comparison?.evidence.sigmas ?? 0,
        decoySigmas: comparison?.evidence.highestDecoy ?? 0,
        chance: comparison?.evidence.chance ?? 1, coherence: comparison?.coherence ?? 0,
        closureSeconds: closure, isInverted: comparison?.isInverted ?? false)
    }
  }

  private func file(_ index: Int, output: String, format: RenderFormat) -> AlignedFile {
    let input = inputs[index]
    let place = alignment.places[index]
    let isPlaced = isPlaced(index)
    let warnings = warnings(index)
    let isReference = index == alignment.reference
    let isCopy =
      !output.isEmpty
      && parts.first { $0.index == index }?.part.isCopy(as: format) == true
    let length = Double(input.sound.frames) / input.sound.hertz
    let sigmas = comparison(of: index).map { comparison in
      [0, length].map { comparison.sigma(atSeconds: $0, hertz: alignment.hertz) }
    }
    var file = AlignedFile(
      path: input.path, output: output, label: FilePath.soundStem(input.name), peer: nil,
      frames: input.sound.frames, channels: input.sound.channels,
      sampleRateHertz: input.hertz, offsetSeconds: isPlaced ? place.offsetSeconds : 0,
      ppm: isPlaced ? place.ppm : 0,
      map: isPlaced ? place.map.map { [$0.own, $0.timeline] } : [],
      confidence: isReference ? 1 : isPlaced ? 1 - (place.evidence?.chance ?? 1) : 0,
      matched: isPlaced, verdict: isPlaced ? (warnings.isEmpty ? .good : .check) : .bad,
      jitterBoundNanoseconds: Int64((4 * place.sigmaSeconds * 1e9).rounded(.up)),
      pathLimitNanoseconds: 0, residualNanoseconds: 0, worstResidualNanoseconds: 0,
      observations: 0, gaps: repairs(of: index).count, isCopy: isCopy, warnings: warnings,
      sound: isReference ? nil : finding(index),
      repairs: repairs(of: index).map { AlignedRepair(frame: $0.frame, frames: $0.count) })
    file.sigmaHeadNanoseconds = sigmas.map { Int64(($0[0] * 1e9).rounded(.up)) }
    file.sigmaTailNanoseconds = sigmas.map { Int64(($0[1] * 1e9).rounded(.up)) }
    return file
  }

  func finding(_ index: Int) -> SoundFinding? {
    let place = alignment.places[index]
    guard let evidence = place.evidence else { return nil }
    return SoundFinding(
      sigmas: evidence.sigmas, sigmaSeconds: place.sigmaSeconds, isInverted: place.isInverted,
      steps: steps(of: index).map { step in
        SoundFinding.Step(
          seconds: step.position / alignment.hertz, samples: step.samples,
          cause: Self.word(step.cause), likeness: step.likeness)
      })
  }

  private static func word(_ cause: FoundStep.Cause) -> String {
    switch cause {
    case .lostInOther: "lost_in_file"
    case .lostInOne: "lost_in_reference"
    case .sourceMoved: "source_moved"
    }
  }

  /// What to look at, in words.
  func warnings(_ index: Int) -> [String] {
    var words = inputs[index].wave?.assumptions ?? []
    let place = alignment.places[index]
    if inputs[index].isSilent {
      words.append("it is silent: every sample that was looked at is zero")
    } else if !isPlaced(index) {
      let group = inputs.indices.filter { $0 != index && alignment.places[$0].root == place.root }
      words.append(
        "it has nothing in common with \"\(inputs[alignment.reference].name)\" that chance does "
          + "not explain, so it has no place on its timeline"
          + (group.isEmpty
            ? "" : "; it belongs with \(group.map { inputs[$0].name }.joined(separator: ", "))"))
    }
    for repair in repairs(of: index) {
      words.append(
        "it lost \(repair.count) frames at frame \(repair.frame), which are silence when rendered")
    }
    let moves = steps(of: index).count { $0.cause == .sourceMoved }
    if moves > 0 {
      words.append(
        "what sounds changed its place \(moves) time\(moves == 1 ? "" : "s"); the files are placed "
          + "by the average, and the clock is not bent")
    }
    if place.isInverted { words.append("its polarity is the other way round") }
    if inputs[index].clipped > 1e-3 { words.append("its sound is clipped") }
    return words
  }
}
