internal import Alignment
internal import BroadcastWave
internal import Recording
internal import Units

extension TakeAligner {
  /// A raw file with all that rendering takes.
  struct Part {
    let source: RenderSource
    let subject: AlignedMetadata.Subject

    /// Whether the frames are taken over bit by bit.
    func isCopy(as format: RenderFormat) -> Bool {
      guard case .line(let placement) = subject.course, placement.identity != nil,
        source.edits.isEmpty, let bits = source.integerBits
      else { return false }
      return bits <= 24
    }
  }

  /// The folder that outputs go to.
  func outputFolder(besides path: String) -> String {
    options.output ?? FilePath.folder(path) + "/" + Self.folderName
  }

  /// Renders all parts into `folder`, unless only a report is wanted.
  func render(
    _ parts: [Part], to folder: String, _ interruption: Interruption,
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> [Rendered] {
    if options.onlyReports { return parts.map { _ in Rendered(path: "") } }
    let groups = options.isPoly ? [parts] : parts.map { [$0] }
    let paths = try outputs(of: groups, in: folder)
    try OutputName.makeFolders(folder)
    let seconds = parts.reduce(0) { $0 + $1.seconds }
    var rendered: [Rendered] = []
    for (group, path) in zip(groups, paths) {
      let done = Double(rendered.count) / Double(parts.count)
      let share = Double(group.count) / Double(parts.count)
      rendered += try render(group, as: path, interruption) { fraction in
        progress(
          .rendering(
            file: group[0].source.path, fraction: done + share * fraction, seconds: seconds))
      }
      progress(.wrote(path: path))
    }
    return rendered
  }

  /// Renders parts as the channels of one file.
  private func render(
    _ parts: [Part], as path: String, _ interruption: Interruption, _ progress: (Double) -> Void
  ) throws(AlignmentError) -> [Rendered] {
    let channels = parts.reduce(0) { $0 + $1.source.channels }
    guard channels <= WaveFormat.channelLimit else { throw .tooManyChannels(count: channels) }
    let metadata = AlignedMetadata(of: parts.map(\.subject), encoding: options.format.encoding)
    let header = WaveHeader(format: metadata.format, bext: metadata.bext, ixml: metadata.ixml)
    let writer = try AlignedWriter(
      path: path, header: header, replaces: options.replacesExisting)
    var lanes: [Rendering.Lane] = []
    for part in parts { lanes.append(try Rendering.Lane(part, format: options.format)) }
    try Rendering(lanes: lanes, writer: writer, interruption: interruption).run(
      count: parts[0].subject.course.count, progress: progress)
    try writer.finish(cues: metadata.cues)
    var channel = 1
    return lanes.map { lane in
      defer { channel += lane.channels }
      return Rendered(
        path: path, channel: options.isPoly ? channel : nil, clipped: lane.clipped)
    }
  }

  /// The markers of all files, by the timeline's frames, each once.
  static func markers(of parts: [Part]) -> [CuePoint] {
    var seen: Set<CuePoint> = []
    return parts.flatMap { AlignedMetadata($0.subject, encoding: .integer(bits: 24)).cues }
      .filter { seen.insert($0).inserted }
      .sorted { ($0.frame, $0.text) < ($1.frame, $1.text) }
  }

  /// The outputs' paths, each of its own and, unless they may be replaced, free.
  private func outputs(
    of groups: [[Part]], in folder: String
  ) throws(AlignmentError) -> [String] {
    var paths: [String] = []
    for group in groups {
      let stem = OutputName.stem(of: group.map(\.subject.name))
      let path = "\(folder)/\(stem)_aligned.wav"
      if paths.contains(path) { throw .outputExists(path: path) }
      paths.append(path)
    }
    for path in paths + ["\(folder)/\(Self.reportName)"]
    where !options.replacesExisting && TakeFolder.exists(path) {
      throw .outputExists(path: path)
    }
    return paths
  }
}

extension TakeAligner.Part {
  /// How long it sounds on the timeline.
  var seconds: Double {
    Double(subject.course.count) / Double(subject.sampleRate.hertz)
  }

  /// A file that its timing log places.
  init(of file: TakeFile, timeline: Timeline) {
    let header = file.log.header
    let session = header.session.session
    let encoding = file.wave.format.encoding
    let frameRate = header.frameRate.flatMap { FrameRate($0) } ?? .fps25
    source = RenderSource(
      path: file.path, channels: file.wave.format.channels,
      integerBits: encoding == .float32 ? nil : encoding.bits,
      seed: header.take.low ^ header.peer.low, edits: file.edits)
    subject = AlignedMetadata.Subject(
      name: file.name, wave: file.wave, description: "\(header.takeName) \(header.label)",
      originator: header.software, course: RenderCourse(timeline, file.fit),
      sampleRate: timeline.sampleRate, channels: file.wave.format.channels, frameRate: frameRate,
      timeReference: TimeReference.samples(
        at: timeline.start, in: session, sampleRate: timeline.sampleRate, frameRate: frameRate),
      begins: CivilTime(at: timeline.start, in: session), edits: file.edits)
  }
}
