internal import BroadcastWave
internal import Units

/// When a file begins by its own timecode, as bext or iXML tell it.
struct TimecodeStamp: Hashable, Sendable {
  /// Samples since timecode zero, ``hertz`` of them a second.
  let samples: UInt64
  let hertz: Int
  /// The timecode's rate, where the file tells it.
  let frameRate: FrameRate?
  /// What the file's parts tell differently, in words.
  let remarks: [String]

  /// What readers allow recorders to be off by, in samples: real ones round.
  private static let tolerance: UInt64 = 1
  /// The longest frame there is, for files that do not tell theirs: of 23.976 a second.
  private static let longestFrame = FrameRate.fps23976

  /// Reads the stamp; nothing where the file has none. A zero without a timecode's rate beside it
  /// is what programs write that know of no timecode.
  init?(_ wave: WaveReader) {
    let ixml = wave.ixml.map { IXMLReading($0) }
    let own = wave.format.sampleRate.hertz
    let rate = ixml?.frameRate ?? wave.bext?.frameRate
    let counted = ixml?.timestampSampleRate ?? ixml?.fileSampleRate ?? Int64(own)
    let said = ixml?.timeReference.map { ($0, Int(clamping: max(1, counted))) }
    let bext = wave.bext.map { ($0.timeReference, own) }
    var remarks: [String] = []
    if let said, let bext, said.1 == bext.1, bext.0 != 0,
      max(said.0, bext.0) - min(said.0, bext.0) > Self.tolerance
    {
      remarks.append(
        "bext begins at sample \(bext.0), iXML at \(said.0); bext's is taken")
    }
    let chosen = bext.flatMap { $0.0 != 0 ? $0 : nil } ?? said ?? bext
    guard let chosen, chosen.0 != 0 || rate != nil else { return nil }
    (samples, hertz) = chosen
    frameRate = rate
    self.remarks = remarks
  }

  /// The same in seconds since timecode zero; a sample of a day is told apart.
  var seconds: Double { Double(samples) / Double(hertz) }

  /// How long a timecode frame lasts, in seconds; the longest there is where nothing tells.
  var frameSeconds: Double { Self.seconds(ofFrame: frameRate ?? Self.longestFrame) }

  /// Seconds from one timecode zero to the next.
  var daySeconds: Double {
    guard let frameRate else { return 86_400 }
    return Double(frameRate.framesPerDay) * Self.seconds(ofFrame: frameRate)
  }

  /// The label of the first frame, or the seconds where no rate is told.
  var label: String {
    guard let frameRate else { return "\(Int64(seconds)) s after timecode zero" }
    let rate = SampleRate(hertz: hertz)
    return "\(Timecode(sample: samples, sampleRate: rate, rate: frameRate))"
  }

  /// Whether two rates count alike, so that equal labels are equal times: whole rates among
  /// themselves, those a thousandth slower among themselves, and each that drops labels with its own.
  static func agree(_ one: FrameRate?, _ other: FrameRate?) -> Bool {
    guard let one, let other else { return true }
    if one == other { return true }
    return one.denominator == other.denominator && !one.dropsFrames && !other.dropsFrames
  }

  private static func seconds(ofFrame rate: FrameRate) -> Double {
    Double(rate.denominator) / Double(rate.numerator)
  }
}
