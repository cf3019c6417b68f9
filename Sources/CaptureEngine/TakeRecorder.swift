internal import BroadcastWave
internal import Recording
internal import Units

/// One take of this host in one output folder: its sound files and their timing logs, from the
/// first frame to the last, segment after segment.
final class TakeRecorder {
  /// The most gaps that are known and not written yet.
  static let mostExpected = 1024

  var plan: TakePlan
  let t0: SharedInstant
  /// The frame of the card's stream that the take begins with.
  let first: SampleIndex
  /// Where the files are.
  let folder: String
  let beginning: Cut.Beginning
  let host: CaptureHost
  let session: Session
  let format: WaveFormat
  let tracks: [Track]
  let settings: FileSettings
  let names: TakeNames
  var segment: SegmentWriter
  /// Gaps that are known, and whose silence may not be written yet.
  var expected: [StreamGap] = []
  /// Gaps before this frame of the stream stand in the logs of segments that are closed.
  var toldTo = Int64.min
  /// The segment before, which is whole and waits for marks that come late.
  var lingering: Lingering?
  var marks = TakeMarks()
  var certificate = CertificateDraft()
  var closed: [TakeSummary.File] = []
  var logs: [String] = []
  var remarks = TakeRemarks()
  var lastMark: TimingLogClock?
  /// What is to be said aloud of the files: each once.
  var warnings: [String] = []

  /// Opens the files of a take with what is said of its beginning.
  init(
    plan: TakePlan, t0: SharedInstant, beginning: Cut.Beginning, output: String,
    host: CaptureHost, session: Session, format: WaveFormat, tracks: [Track] = [],
    settings: FileSettings = FileSettings(), isDraft: Bool = false, followsDraft: Bool = true
  ) throws(CaptureError) {
    self.plan = plan
    self.t0 = t0
    self.beginning = beginning
    self.host = host
    self.session = session
    self.settings = settings
    self.format = format
    self.tracks = tracks
    first = beginning.first
    let date = CivilTime(at: session.anchor, in: session).dateText
    names = TakeNames(
      plan: plan, session: session.id, date: date, peer: host.peer, label: host.label)
    folder = output + "/" + names.folder
    try OutputFile.makeFolders(folder)
    let describe = Self.describer(plan, beginning, host, session, tracks)
    segment = try SegmentWriter(
      number: isDraft
        ? TakeNames.draftSegment
        : Self.freeSegment(
          from: followsDraft || !Self.isTaken(TakeNames.draftSegment, of: names, in: folder)
            ? 1 : 2,
          of: names, in: folder, settings: settings),
      firstFrame: 0, folder: folder, names: names, format: format, settings: settings,
      describe: describe)
    try beginLogs(firstShared: beginning.shared)
  }

  typealias Describe = (_ track: Int?, _ format: WaveFormat, _ name: String) ->
    FileDescription

  static func describer(
    _ plan: TakePlan, _ beginning: Cut.Beginning, _ host: CaptureHost, _ session: Session,
    _ tracks: [Track]
  ) -> Describe {
    { track, format, name in
      var description = FileDescription(
        plan: plan, host: host, session: session, format: format, begins: beginning.begins,
        fileName: name, tracks: tracks)
      description.track = track
      return description
    }
  }

  /// What the first file of the segment says of itself, as the measure for its log.
  func description(_ place: Int) -> FileDescription {
    let file = segment.files[place]
    let one = WaveFormat(
      sampleRate: format.sampleRate, channels: file.track == nil ? format.channels : 1,
      encoding: format.encoding)
    var description = Self.describer(plan, beginning, host, session, tracks)(
      file.track, one, file.name)
    description.segment = segment.number
    description.firstFrame = segment.firstFrame
    return description
  }

  func beginLogs(firstShared: SharedInstant) throws(CaptureError) {
    try segment.write { description($0).logHeader(t0: t0, firstShared: firstShared) }
  }

  /// The first segment that no file bears yet: a take that is started again goes on beside what
  /// is there. Where an interruption left a draft alone, its number's place stays free: the first
  /// segment beside a draft is one that holds it.
  static func freeSegment(
    from first: Int, of names: TakeNames, in folder: String, settings: FileSettings
  ) -> Int {
    (first..<first + 100_000).first { !isTaken($0, of: names, in: folder) } ?? first
  }

  /// Whether any file bears a segment's number.
  private static func isTaken(_ segment: Int, of names: TakeNames, in folder: String) -> Bool {
    [nil, 1].flatMap { track in
      [
        names.sound(segment: segment, track: track),
        names.timingLog(segment: segment, track: track),
      ]
    }.contains {
      OutputFile.exists(folder + "/" + $0) || OutputFile.exists(folder + "/" + $0 + ".part")
    }
  }

  /// The frame of the card's stream that comes next.
  var next: SampleIndex { first + FrameCount(frames) }

  /// The frames that were written.
  var frames: Int64 { segment.firstFrame + segment.frames }

  var gapCount: Int { marks.gapCount }

  /// Puts whole frames behind those that are there, in another segment where this one is full.
  func append(_ bytes: [UInt8]) throws(CaptureError) {
    let size = format.bytesPerFrame
    var done = 0
    while done < bytes.count {
      if segment.room == 0 { try beginNextSegment() }
      let count = min((bytes.count - done) / size, Int(clamping: segment.room))
      guard count > 0 else { return }
      let isAll = done == 0 && count * size == bytes.count
      try segment.append(isAll ? bytes : Array(bytes[done..<done + count * size]))
      done += count * size
    }
    if lingering != nil, segment.frames >= lingerFrames { try closeLingering() }
  }

  func keepTrue() throws(CaptureError) { try segment.keepTrue() }

  /// Puts an entry into the log; its frame, if it has one, counts from the take's first.
  /// A marker becomes a cue besides.
  func write(_ entry: TimingLogEntry) throws(CaptureError) {
    certificate.take(entry)
    if case .clock(let clock) = entry { lastMark = clock }
    if case .marker(let marker) = entry { add(marker) }
    let target = self.segment(ofFrame: entry.frame)
    try target.write(entry.moved(by: -target.firstFrame))
  }

  private func add(_ marker: TimingLogMarker) {
    marks.add(marker)
    let oldest = lingering?.segment.firstFrame ?? segment.firstFrame
    if marker.frame < oldest { addLate(marker) }
  }

  /// Writes where frame `index` of the stream lies in both times.
  func mark(
    _ index: SampleIndex, clock: SampleClock, map: ClockMap
  ) throws(CaptureError) {
    guard let host = clock.host(of: index), let line = clock.line else { return }
    let entry = TimingLogClock(
      frame: (index - first).value, host: host, shared: map.shared(at: host),
      jitterBoundNanoseconds: map.jitterBoundNanoseconds(at: host),
      pathLimitNanoseconds: map.pathLimitNanoseconds,
      cardBoundNanoseconds: line.boundNanoseconds,
      cardPPM: clock.excess?.partsPerMillion ?? 0, skewPPM: map.skew.partsPerMillion,
      generation: map.generation)
    try write(.clock(entry))
  }

  /// Takes note of frames that were lost at `index` and stand as silence.
  func note(_ gap: StreamGap) throws(CaptureError) {
    expected.removeAll { $0.index == gap.index }
    guard let part = gap.clipped(from: max(first.value, toldTo), to: .max) else { return }
    try writeDown(part)
  }

  /// Takes note that a gap is coming, which may still grow.
  func expect(_ gap: StreamGap) {
    expected.removeAll { $0.index == gap.index }
    guard expected.count < Self.mostExpected else { return }
    expected.append(gap)
  }

  /// What of the expected gaps lies before `boundary`, where a segment ends, stands in its log.
  func noteExpected(before boundary: Int64) throws(CaptureError) {
    for gap in expected {
      if let part = gap.clipped(from: max(first.value, toldTo), to: boundary) {
        try writeDown(part)
      }
    }
    toldTo = boundary
    expected.removeAll { $0.end.value <= boundary }
  }

  /// What lies on both sides of a segment's end belongs to both.
  func writeDown(_ whole: StreamGap) throws(CaptureError) {
    let border = lingering == nil ? Int64.min : first.value + segment.firstFrame
    for part in [whole.clipped(from: .min, to: border), whole.clipped(from: border, to: .max)] {
      if let part { try writePart(part) }
    }
  }

  private func writePart(_ part: StreamGap) throws(CaptureError) {
    marks.addGap("gap: \(part.words)", frame: part.index - first.value)
    try write(.gap(TimingLogGap(part, from: first)))
  }

  /// Marks a frame of the take in words; `shared` is the instant that a person meant.
  func mark(text: String, frame: Int64, shared: SharedInstant? = nil) throws(CaptureError) {
    try write(.marker(TimingLogMarker(frame: max(0, frame), text: text, shared: shared)))
  }

  /// Takes the files away again.
  func discard() throws(CaptureError) { try segment.discard() }

  /// Takes down what somebody says of the take; the files tell it when they are closed.
  func remark(_ more: TakeRemarks) { remarks = remarks.merged(with: more) }
}
