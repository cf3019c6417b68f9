internal import BroadcastWave
internal import Recording
internal import Units

/// What a file of a take says of itself: the one source of its bext, its iXML and its log's header.
struct FileDescription: Sendable {
  let plan: TakePlan
  let host: CaptureHost
  let session: Session
  let format: WaveFormat
  /// The instant that the host's part of the take begins at: T0, or the first frame's where the
  /// ring did not reach back to T0.
  let begins: SharedInstant
  let fileName: String
  /// The card's channels that the file's are, with their names, in the file's order.
  var tracks: [Track] = []
  var isPlain = false
  /// Which segment of a split recording, and the frame of the whole that it begins with.
  var segment = 1
  var firstFrame: Int64 = 0
  /// Which of the recorded channels, where each has a file of its own.
  var track: Int?

  /// How the session counts timecode.
  var timecode: TimecodeSetting {
    plan.timecode.flatMap { TimecodeSetting($0) } ?? .usual
  }

  /// Of the whole recording's first frame.
  var firstReference: UInt64 {
    TimeReference.samples(
      at: begins, in: session, sampleRate: format.sampleRate, timecode: timecode)
  }

  var timeReference: UInt64 {
    TimeReference.advanced(
      firstReference, by: firstFrame, sampleRate: format.sampleRate, frameRate: timecode.rate)
  }

  /// When the file begins, by the calendar and the clock on the wall.
  var civil: CivilTime {
    CivilTime(at: begins + format.sampleRate.duration(of: FrameCount(firstFrame)), in: session)
  }

  var header: WaveHeader {
    WaveHeader(format: format, bext: bext(loudness: nil), ixml: ixml(.opening), isPlain: isPlain)
  }

  func bext(loudness: BextLoudness?) -> Bext {
    let reference = Bext.reference(
      serial: host.peer.description, time: civil,
      random: plan.id.low &+ UInt64(truncatingIfNeeded: segment - 1))
    var bext = Bext(
      description: "\(plan.name) T\(plan.number) \(host.label)", originator: host.software,
      originatorReference: reference, begins: civil, timeReference: timeReference,
      codingHistory: Bext.codingLine(for: format, text: host.software))
    bext.loudness = loudness
    return bext
  }

  func ixml(_ state: FileState) -> IXML {
    var ixml = IXML(
      speed: IXML.Speed(
        frameRate: timecode.rate, format: format, timeReference: timeReference,
        note: plan.timecode.flatMap { $0.contains(" ") ? $0 : nil }))
    ixml.project = plan.project
    ixml.scene = plan.name
    ixml.take = String(plan.number)
    ixml.tape = plan.tape
    ixml.note = state.remarks.note
    ixml.isCircled = state.remarks.isCircled ?? false
    ixml.userBits = timecode.userBits(on: civil)
    let part = track.map { "-\($0)" } ?? ""
    ixml.fileUID = "\(plan.id)-\(host.peer)\(part)-\(segment)"
    ixml.fileSet = IXML.FileSet(
      totalFiles: state.totalFiles ?? max(1, plan.fileCount ?? 1),
      familyUID: plan.id.description, familyName: "\(plan.name)-T\(plan.number)")
    ixml.tracks = namedTracks
    ixml.syncPoints = preRoll(state) + state.markers
    ixml.history = IXML.History(originalFilename: fileName)
    ixml.user = state.user
    return ixml
  }

  private var namedTracks: [IXML.Track] {
    let places = track.map { [$0] } ?? Array(1...format.channels)
    return places.enumerated().map { interleave, place in
      let known = place <= tracks.count ? tracks[place - 1] : Track(channel: place, name: "")
      let name = known.name.isEmpty ? "\(host.label) \(known.channel)" : known.name
      return IXML.Track(channel: known.channel, interleave: interleave + 1, name: name)
    }
  }

  /// What was recorded before anybody said start.
  private func preRoll(_ state: FileState) -> [IXML.SyncPoint] {
    guard let told = plan.told else { return [] }
    let frames = format.sampleRate.frames(in: told - begins).value - firstFrame
    guard frames > 0, state.frames.map({ frames < $0 }) ?? (segment == 1) else { return [] }
    return [
      IXML.SyncPoint(
        function: "PRE_RECORD_SAMPLECOUNT", comment: "recorded before the start was said",
        sample: UInt64(frames))
    ]
  }

  /// The first line of the file's timing log.
  func logHeader(t0: SharedInstant, firstShared: SharedInstant) -> TimingLogHeader {
    var header = TimingLogHeader(
      version: TimingLogEntry.version, software: host.software, take: plan.id,
      takeName: plan.name, session: TimingLogSession(session), peer: host.peer, label: host.label,
      bootID: host.bootID, file: fileName, sampleRateHertz: format.sampleRate.hertz,
      channels: format.channels, bits: format.encoding.bits, t0: t0, firstShared: firstShared,
      timeReference: timeReference,
      frameRate: "\(timecode.rate.fraction) \(timecode.rate.flag)")
    header.about = TimingLogHeader.words
    header.takeNumber = plan.number
    header.timecode = timecode.description
    header.segment = segment
    header.firstFrame = firstFrame
    header.track = track
    return header
  }
}

/// What a file says of itself that is not known when it is opened.
struct FileState: Sendable {
  /// The frames of the file; nothing while it grows.
  var frames: Int64?
  /// Nothing where nobody has counted anew.
  var totalFiles: Int?
  var remarks = TakeRemarks()
  var markers: [IXML.SyncPoint] = []
  /// The recorder's own words.
  var user: String?

  static let opening = FileState()
}
