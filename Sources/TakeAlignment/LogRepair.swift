internal import Alignment
internal import Recording
internal import Units

/// What a timing log tells of frames that do not stand where they were taken, and of clocks that
/// stepped.
struct LogRepair {
  /// What rendering puts in and leaves out, in order.
  let edits: [RenderSource.Edit]
  /// What to look at, in words.
  let words: [String]
  /// Where the log's readings speak of neither side: between a loss and the silence for it.
  private let blurred: [ClosedRange<Int64>]

  /// Frames that step by less than this, in nanoseconds, are told and left alone.
  private static let leastRepair = 1e6
  /// How long after a late silence the recorder's own card clock settles, in seconds.
  private static let settling: Int64 = 3

  init(_ log: TimingLogFile) {
    let hertz = log.header.sampleRateHertz
    let late = log.gaps.filter { $0.lostFrom != nil && $0.frames > 0 }
    var edits = late.flatMap { Self.edits(for: $0) }
    var words = late.map { Self.words(for: $0, hertz: hertz) }
    blurred = late.map { gap in
      let from = min(gap.lostFrom ?? gap.frame, gap.frame)
      return from...gap.frame + Self.settling * Int64(hertz)
    }
    let readings = log.clocks.sorted { $0.frame < $1.frame }.filter { [blurred] clock in
      !blurred.contains { $0.contains(clock.frame) }
    }.map { clock in
      TimingReading(
        frame: edits.repaired(Double(clock.frame)), host: clock.host.nanoseconds,
        shared: clock.shared.nanoseconds, cardBound: Double(clock.cardBoundNanoseconds),
        clockBound: Double(clock.jitterBoundNanoseconds), generation: clock.generation)
    }
    var found: [RenderSource.Edit] = []
    for step in TimingStep.all(in: readings, framesPerSecond: Double(hertz)) {
      let count = Int64((step.samplesNanoseconds * 1e-9 * Double(hertz)).rounded())
      let isRepaired = step.cause == .samples && step.samplesNanoseconds >= Self.leastRepair
      if isRepaired {
        let middle = edits.raw((step.from + step.to) / 2)
        found.append(RenderSource.Edit(frame: Int64(middle), count: count))
      }
      words.append(Self.words(for: step, hertz: Double(hertz), isRepaired: isRepaired))
    }
    edits += found
    self.edits = edits.sorted { $0.frame < $1.frame }
    self.words = words
  }

  /// Whether the log's reading of a raw frame can be trusted.
  func trusts(_ frame: Int64) -> Bool { !blurred.contains { $0.contains(frame) } }

  /// Silence in the middle of where the loss lies instead of where it was found.
  private static func edits(for gap: TimingLogGap) -> [RenderSource.Edit] {
    let from = gap.lostFrom ?? gap.frame
    let to = max(from, gap.lostTo ?? from)
    return [
      RenderSource.Edit(frame: from + (to - from) / 2, count: gap.frames),
      RenderSource.Edit(frame: gap.frame, count: -gap.frames),
    ]
  }

  private static func words(for gap: TimingLogGap, hertz: Int) -> String {
    let from = seconds(Double(gap.lostFrom ?? gap.frame) / Double(hertz))
    let to = seconds(Double(gap.lostTo ?? gap.frame) / Double(hertz))
    return
      "\(gap.frames) frames were lost between \(from) and \(to) s and found late; their silence "
      + "stands there now, and the sound behind it where it was taken"
  }

  private static func words(for step: TimingStep, hertz: Double, isRepaired: Bool) -> String {
    let place = "between \(seconds(step.from / hertz)) and \(seconds(step.to / hertz)) s"
    let frames = Int64((step.samplesNanoseconds * 1e-9 * hertz).rounded())
    let clock = milliseconds(step.clockNanoseconds)
    switch step.cause {
    case .samples where isRepaired:
      return
        "\(place) \(frames) frames are missing that the log does not tell of; silence stands for "
        + "them"
    case .samples: return "\(place) the samples step by \(frames) frames against the host's clock"
    case .clock: return "\(place) shared time steps by \(clock) ms against the host's clock"
    case .host:
      return "\(place) the host's own clock steps by \(milliseconds(step.samplesNanoseconds)) ms; "
        + "samples and shared time agree, so nothing is moved"
    case .both:
      return "\(place) both step against the host's clock: the samples by \(frames) frames, shared "
        + "time by \(clock) ms"
    }
  }

  private static func seconds(_ value: Double) -> String { thousandths(value) }

  private static func milliseconds(_ nanoseconds: Double) -> String {
    thousandths(nanoseconds * 1e-6)
  }

  /// A number to three places.
  static func thousandths(_ value: Double) -> String {
    let whole = Int64((value * 1000).rounded())
    let places = String(whole.magnitude % 1000 + 1000).dropFirst()
    return "\(whole < 0 ? "-" : "")\(whole.magnitude / 1000).\(places)"
  }
}

extension [RenderSource.Edit] {
  /// Where a raw frame stands once silence is put in and left out.
  func repaired(_ raw: Double) -> Double {
    reduce(raw) { frame, edit in
      raw < Double(edit.frame)
        ? frame : frame + Swift.max(Double(edit.count), Double(edit.frame) - raw)
    }
  }

  /// The raw frame that stands at a repaired one.
  func raw(_ repaired: Double) -> Double {
    sorted { $0.frame < $1.frame }.reduce(repaired) { frame, edit in
      frame <= Double(edit.frame)
        ? frame : Swift.max(Double(edit.frame), frame - Double(edit.count))
    }
  }
}
