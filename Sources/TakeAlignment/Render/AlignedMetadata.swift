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
    var edits: [RenderSource.Edit] = []
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

  /// What the file says that holds all `subjects`, one at least, as its channels.
  init(of subjects: [Subject], encoding: SampleEncoding) {
    let parts = subjects.map { AlignedMetadata($0, encoding: encoding) }
    guard parts.count > 1 else {
      self = parts[0]
      return
    }
    format = WaveFormat(
      sampleRate: subjects[0].sampleRate, channels: subjects.reduce(0) { $0 + $1.channels },
      encoding: encoding)
    var bext = parts[0].bext
    bext.codingHistory =
      (subjects[0].wave?.bext?.codingHistory ?? "")
      + Bext.codingLine(for: format, text: "aligned \(subjects.count) files as one")
    self.bext = bext
    var ixml = parts[0].ixml
    ixml.speed.format = format
    ixml.fileSet = ixml.fileSet.map {
      IXML.FileSet(totalFiles: 1, familyUID: $0.familyUID, familyName: $0.familyName)
    }
    ixml.tracks = Self.tracks(of: zip(subjects, parts).map { ($0.channels, $1.ixml, $0.name) })
    var seen: Set<IXML.SyncPoint> = []
    ixml.syncPoints = parts.flatMap(\.ixml.syncPoints).filter { seen.insert($0).inserted }
    self.ixml = ixml
    var heard: Set<CuePoint> = []
    cues = parts.flatMap(\.cues).filter { heard.insert($0).inserted }
      .sorted { ($0.frame, $0.text) < ($1.frame, $1.text) }
  }

  /// The tracks of files one behind the other, each by its own name or its file's.
  private static func tracks(
    of files: [(channels: Int, ixml: IXML, name: String)]
  ) -> [IXML.Track] {
    var tracks: [IXML.Track] = []
    for file in files {
      for channel in 1...file.channels {
        let told = file.ixml.tracks.first { $0.interleave == channel }?.name ?? ""
        let name = told.isEmpty ? "\(FilePath.soundStem(file.name)) \(channel)" : told
        tracks.append(
          IXML.Track(channel: tracks.count + 1, interleave: tracks.count + 1, name: name))
      }
    }
    return tracks
  }

  /// What was done to the sound, for the coding history.
  private static func deed(_ subject: Subject) -> String {
    let lost = subject.edits.reduce(0) { $0 + max(0, $1.count) }
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
    let own = subject.edits.repaired(Double(frame))
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
