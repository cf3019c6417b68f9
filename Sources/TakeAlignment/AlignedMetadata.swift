internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Units

/// What an aligned file says of itself: what the raw one said, with format, time and history
/// made true.
struct AlignedMetadata {
  let bext: Bext
  let ixml: IXML
  let cues: [CuePoint]
  let format: WaveFormat

  init(of file: TakeFile, timeline: Timeline, placement: Placement, bits: Int) {
    let header = file.log.header
    let session = header.session.session
    format = WaveFormat(
      sampleRate: timeline.sampleRate, channels: file.wave.format.channels,
      encoding: .integer(bits: bits))
    let frameRate = header.frameRate.flatMap { FrameRate($0) } ?? .fps25
    let reference = TimeReference.samples(
      at: timeline.start, in: session, sampleRate: timeline.sampleRate, frameRate: frameRate)
    let begins = CivilTime(at: timeline.start, in: session)
    let raw = file.wave.bext
    bext = Bext(
      description: raw?.description ?? "\(header.takeName) \(header.label)",
      originator: raw?.originator ?? header.software,
      originatorReference: raw?.originatorReference ?? "", begins: begins,
      timeReference: reference,
      codingHistory: (raw?.codingHistory ?? "")
        + Bext.codingLine(for: format, text: "aligned \(Self.rateText(placement.step)) soxr VHQ"))
    ixml = Self.ixml(
      of: file, format: format, frameRate: frameRate, timeReference: reference,
      placement: placement)
    cues = Self.moved(file.wave.cues, placement)
  }

  private static func ixml(
    of file: TakeFile, format: WaveFormat, frameRate: FrameRate, timeReference: UInt64,
    placement: Placement
  ) -> IXML {
    let speed = IXML.Speed(
      frameRate: frameRate, format: format, timeReference: timeReference, note: nil)
    var ixml = IXML(text: file.wave.ixml ?? "", speed: speed)
    let parent = ixml.fileUID
    ixml.fileUID = parent.map { "\($0)-aligned" }
    ixml.history = IXML.History(
      originalFilename: ixml.history?.originalFilename ?? file.name, parentFilename: file.name,
      parentUID: parent)
    ixml.syncPoints = ixml.syncPoints.compactMap { point in
      if point.isAbsolute { return point }
      var moved = point
      guard let frame = Self.moved(point.sample, placement) else { return nil }
      moved.sample = frame
      return moved
    }
    return ixml
  }

  private static func moved(_ cues: [CuePoint], _ placement: Placement) -> [CuePoint] {
    cues.compactMap { cue in
      moved(cue.frame, placement).map { CuePoint(frame: $0, text: cue.text) }
    }
  }

  /// The timeline's frame nearest to a file's frame, or nothing where it lies outside.
  private static func moved(_ frame: UInt64, _ placement: Placement) -> UInt64? {
    let place = ((Double(frame) - placement.start) / placement.step).rounded()
    guard place >= 0, place < Double(placement.count) else { return nil }
    return UInt64(place)
  }

  /// A step in ppm to three places, such as `+37.500 ppm`.
  private static func rateText(_ step: Double) -> String {
    let thousandths = Int(((step - 1) * 1e9).rounded())
    let size = thousandths.magnitude
    let places = String(size % 1000 + 1000).dropFirst()
    return "\(thousandths < 0 ? "-" : "+")\(size / 1000).\(places) ppm"
  }
}
