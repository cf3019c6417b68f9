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
      Rendering.identity(of: subject.course, source: source, format: format) != nil
    }
  }

  /// The folder that outputs go to.
  func outputFolder(besides path: String) -> String {
    options.output ?? FilePath.folder(path) + "/" + Self.folderName
  }

  /// Renders all parts into `folder`, unless only a report is wanted.
  ///
  /// - Returns: the outputs' paths, empty ones where nothing was rendered.
  func render(
    _ parts: [Part], to folder: String, _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> [String] {
    if options.onlyReports { return parts.map { _ in "" } }
    let paths = try outputs(of: parts.map(\.subject.name), in: folder)
    try OutputName.makeFolders(folder)
    let interruption = Interruption()
    for (part, path) in zip(parts, paths) {
      let metadata = AlignedMetadata(part.subject, encoding: options.format.encoding)
      let header = WaveHeader(
        format: metadata.format, bext: metadata.bext, ixml: metadata.ixml)
      let writer = try AlignedWriter(
        path: path, header: header, replaces: options.replacesExisting)
      let rendering = Rendering(
        source: part.source, course: part.subject.course, writer: writer, format: options.format,
        interruption: interruption)
      try rendering.run { progress(.rendering(file: part.source.path, fraction: $0)) }
      try writer.finish(cues: metadata.cues)
      progress(.wrote(path: path))
    }
    return paths
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
    of names: [String], in folder: String
  ) throws(AlignmentError) -> [String] {
    var paths: [String] = []
    for name in names {
      let path = "\(folder)/\(FilePath.soundStem(name))_aligned.wav"
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
  /// A file that its timing log places.
  init(of file: TakeFile, timeline: Timeline, format: RenderFormat) {
    let header = file.log.header
    let session = header.session.session
    let encoding = file.wave.format.encoding
    let frameRate = header.frameRate.flatMap { FrameRate($0) } ?? .fps25
    source = RenderSource(
      path: file.path, channels: file.wave.format.channels,
      integerBits: encoding == .float32 ? nil : encoding.bits,
      seed: header.take.low ^ header.peer.low)
    subject = AlignedMetadata.Subject(
      name: file.name, wave: file.wave, description: "\(header.takeName) \(header.label)",
      originator: header.software, course: RenderCourse(timeline, file.fit),
      sampleRate: timeline.sampleRate, channels: file.wave.format.channels, frameRate: frameRate,
      timeReference: TimeReference.samples(
        at: timeline.start, in: session, sampleRate: timeline.sampleRate, frameRate: frameRate),
      begins: CivilTime(at: timeline.start, in: session))
  }
}
