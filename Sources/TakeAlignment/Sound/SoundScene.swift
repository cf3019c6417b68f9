internal import Alignment
internal import BroadcastWave
internal import Units

/// Files that were compared by sound, on the timeline of the one that is the reference.
///
/// Its frames are the reference's own, and it reaches from the first sound of any file of the
/// reference's group to the last. Samples that were lost are put back as silence before anything
/// else, also in the reference.
struct SoundScene {
  let inputs: [SoundInput]
  let alignment: SoundAlignment

  /// The part of a frame that decides nothing.
  private static let hair = 0.02

  var reference: Int { alignment.reference }
  var hertz: Double { inputs[reference].sound.hertz }

  /// Whether a file is of the reference's group.
  func isPlaced(_ index: Int) -> Bool { alignment.places[index].root == reference }

  /// The steps between a file and the reference, along the file.
  func steps(of index: Int) -> [FoundStep] {
    comparison(of: index)?.steps ?? []
  }

  /// What comparing a file with the reference found.
  func comparison(of index: Int) -> PairComparison? {
    alignment.findings.first { $0.isFound && $0.one == reference && $0.other == index }?.comparison
  }

  /// What a file lost, in its own frames.
  func repairs(of index: Int) -> [RenderSource.Edit] {
    let scale = inputs[index].sound.hertz / alignment.hertz
    if index != reference {
      return steps(of: index).filter { $0.cause == .lostInOther }.map {
        RenderSource.Edit(
          frame: Int64(($0.position * scale).rounded()),
          count: Int64(($0.samples * scale).rounded()))
      }
    }
    return referenceLosses.map { loss in
      RenderSource.Edit(
        frame: Int64((loss.position * scale).rounded()),
        count: Int64((loss.samples * scale).rounded()))
    }
  }

  /// What the reference lost, in samples of the comparison along the reference: as any one of the
  /// other files tells it.
  private var referenceLosses: [(position: Double, samples: Double)] {
    for index in inputs.indices where index != reference {
      let lost = steps(of: index).filter { $0.cause == .lostInOne }
      if lost.isEmpty { continue }
      let place = alignment.places[index]
      return lost.map { step in
        let own = step.position / alignment.hertz - 1e-3
        return (place.timeline(at: own) * alignment.hertz, -step.samples)
      }
    }
    return []
  }

  /// The place of a file's repaired frame `frame` among the repaired reference's frames.
  func timelineFrame(_ index: Int, ofRepaired frame: Double) -> Double {
    let place = alignment.places[index]
    let seconds = frame / inputs[index].sound.hertz
    let straight = place.smooth(at: seconds)
    return straight * hertz
  }

  /// The first and the last frame of the timeline, as frames of the reference.
  var range: Range<Int64> {
    var low = 0.0
    var high = 0.0
    for index in inputs.indices where isPlaced(index) {
      let added = repairs(of: index).reduce(0) { $0 + $1.count }
      let last = Double(inputs[index].sound.frames + added)
      low = min(low, timelineFrame(index, ofRepaired: 0))
      high = max(high, timelineFrame(index, ofRepaired: last))
    }
    // What reaches into a frame by less than the sound tells makes it no longer.
    let count = Int64((high - low - Self.hair).rounded(.up))
    let first = Int64((low + Self.hair).rounded(.down))
    return first..<first + max(1, count)
  }

  func course(of index: Int) -> RenderCourse {
    let range = range
    let count = range.upperBound - range.lowerBound
    let place = alignment.places[index]
    let own = inputs[index].sound.hertz
    if !place.isCurved {
      let step = own * place.rate / hertz
      let start = (Double(range.lowerBound) / hertz - place.offsetSeconds) * place.rate * own
      return .line(Placement(start: start, step: step, count: count))
    }
    let knots = place.smoothKnots.map { knot in
      (timeline: knot.timeline * hertz - Double(range.lowerBound), own: knot.own * own)
    }
    return .curve(knots, count: count)
  }

  /// TimeReference of the timeline's first frame, where the reference has one.
  var timeReference: UInt64? {
    guard let wave = inputs[reference].wave, let bext = wave.bext else { return nil }
    let day = Int64(86_400 * hertz)
    let first = Int64(clamping: bext.timeReference) + range.lowerBound
    return UInt64(((first % day) + day) % day)
  }

  /// What is rendered: the files that have a place.
  var parts: [(index: Int, part: TakeAligner.Part)] {
    inputs.indices.filter(isPlaced).map { index in
      let input = inputs[index]
      let frameRate = input.wave?.ixml.map { IXMLReading($0) }?.frameRate ?? .fps25
      let source = RenderSource(
        path: input.path, channels: input.sound.channels, integerBits: input.integerBits,
        seed: UInt64(index), edits: repairs(of: index))
      let subject = AlignedMetadata.Subject(
        name: input.name, wave: input.wave, description: input.name, originator: "recorder",
        course: course(of: index), sampleRate: SampleRate(hertz: Int(hertz)),
        channels: input.sound.channels, frameRate: frameRate, timeReference: timeReference ?? 0,
        begins: nil, edits: source.edits)
      return (index, TakeAligner.Part(source: source, subject: subject))
    }
  }
}

extension SoundScene {
  /// The files that have a place, the reference first.
  var subjects: [TakeAligner.CheckSubject] {
    let placed = [reference] + inputs.indices.filter { isPlaced($0) && $0 != reference }
    return placed.map { index in
      TakeAligner.CheckSubject(
        path: inputs[index].path, name: inputs[index].name, course: course(of: index),
        edits: repairs(of: index), hertz: inputs[index].sound.hertz,
        frames: inputs[index].sound.frames,
        boundSeconds: 4 * alignment.places[index].sigmaSeconds)
    }
  }
}
