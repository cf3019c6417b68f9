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

  /// What a file's metadata become of.
  struct Subject {
    let name: String
    /// What the raw file said; nothing where it cannot say anything.
    let wave: WaveReader?
    /// What stands in for a description that the raw file lacks.
    let description: String
    let originator: String
    let course: RenderCourse
    let sampleRate: SampleRate
    let channels: Int
    let frameRate: FrameRate
    let timeReference: UInt64
    /// The civil time at which the aligned files begin, where it is known.
    let begins: CivilTime?
    var repairs: [RenderSource.Repair] = []
  }

  init(_ subject: Subject, encoding: SampleEncoding) {
    format = WaveFormat(
      sampleRate: subject.sampleRate, channels: subject.channels, encoding: encoding)
    let raw = subject.wave?.bext
    var bext = Bext(
      description: raw?.description ?? subject.description,
      originator: raw?.originator ?? subject.originator,
      originatorReference: raw?.originatorReference ?? "",
      begins: subject.begins ?? CivilTime(unixNanoseconds: 0, utcOffsetSeconds: 0),
      timeReference: subject.timeReference,
      codingHistory: (raw?.codingHistory ?? "")
        + Bext.codingLine(for: format, text: Self.deed(subject)))
    if subject.begins == nil {
      bext.originationDate = raw?.originationDate ?? ""
      bext.originationTime = raw?.originationTime ?? ""
    }
    self.bext = bext
    ixml = Self.ixml(of: subject, format: format)
    cues = (subject.wave?.cues ?? []).compactMap { cue in
      Self.moved(cue.frame, subject).map { CuePoint(frame: $0, text: cue.text) }
    }
  }

  /// What was done to the sound, for the coding history.
  private static func deed(_ subject: Subject) -> String {
    let lost = subject.repairs.reduce(0) { $0 + $1.count }
    let repair = lost > 0 ? " \(lost) lost frames as silence" : ""
    let kind = if case .curve = subject.course { "curve, sinc 256" } else { "soxr VHQ" }
    return "aligned \(rateText(subject.course.step)) \(kind)\(repair)"
  }

  private static func ixml(of subject: Subject, format: WaveFormat) -> IXML {
    let speed = IXML.Speed(
      frameRate: subject.frameRate, format: format, timeReference: subject.timeReference,
      note: nil)
    var ixml = IXML(text: subject.wave?.ixml ?? "", speed: speed)
    let parent = ixml.fileUID
    ixml.fileUID = parent.map { "\($0)-aligned" }
    ixml.history = IXML.History(
      originalFilename: ixml.history?.originalFilename ?? subject.name,
      parentFilename: subject.name, parentUID: parent)
    ixml.syncPoints = ixml.syncPoints.compactMap { point in
      if point.isAbsolute { return point }
      var moved = point
      guard let frame = Self.moved(point.sample, subject) else { return nil }
      moved.sample = frame
      return moved
    }
    return ixml
  }

  /// The timeline's frame nearest to a file's frame, or nothing where it lies outside.
  private static func moved(_ frame: UInt64, _ subject: Subject) -> UInt64? {
    let own = subject.repairs.reduce(Double(frame)) { sum, repair in
      Double(frame) >= Double(repair.frame) ? sum + Double(repair.count) : sum
    }
    let place = subject.course.timelineFrame(of: own).rounded()
    guard place >= 0, place < Double(subject.course.count) else { return nil }
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
