internal import BroadcastWave
internal import EditorSessions
internal import Units

extension AlignmentOptions {
  /// Editors that sessions are written for, by the words of the command line.
  public static var editors: [String] { EditorFormat.allCases.map(\.rawValue) }
}

extension TakeAligner {
  /// Writes sessions for editors beside what was rendered.
  ///
  /// - Returns: the files' paths.
  func export(
    _ report: AlignmentReport, parts: [Part], to folder: String
  ) throws(AlignmentError) -> [String] {
    let formats = options.exports.compactMap { EditorFormat(rawValue: $0) }
    if formats.isEmpty { return [] }
    try OutputName.makeFolders(folder)
    let project = project(of: report, parts: parts)
    var paths: [String] = []
    for format in formats {
      do {
        for file in try format.files(of: project) {
          let path = "\(folder)/\(file.name)"
          try OutputName.makeFolders(FilePath.folder(path))
          try put(Array(file.text.utf8), at: path)
          paths.append(path)
        }
      } catch let error as AlignmentError {
        throw error
      } catch {
        throw .output(path: folder, reason: "\(error)")
      }
    }
    return paths
  }

  private func project(of report: AlignmentReport, parts: [Part]) -> EditorProject {
    let rate = SampleRate(hertz: report.sampleRateHertz)
    let placed = report.files.sorted { $0.key < $1.key }.filter { $0.value.matched }
    let earliest = placed.map(\.value.offsetSeconds).min() ?? 0
    let clips = placed.flatMap { name, file in
      let part = parts.first { $0.source.path == file.path }
      let clips =
        file.output.isEmpty
        ? Self.raw(file, name: name, earliest: earliest, part)
        : [Self.rendered(file, name: name, report)]
      return clips.map { Self.told($0, by: part) }
    }
    let name = report.takeName.isEmpty ? "aligned" : report.takeName
    let isPoly = options.isPoly && !options.onlyReports
    return EditorProject(
      name: name, sampleRate: rate, frameRate: parts.first?.subject.frameRate ?? .fps25,
      startSample: report.timeReference ?? 0, clips: isPoly ? Self.together(clips) : clips,
      markers: Self.markers(of: parts).map {
        EditorMarker(position: Double($0.frame) / Double(rate.hertz), text: $0.text)
      })
  }

  /// A rendered file, which fills the timeline.
  private static func rendered(
    _ file: AlignedFile, name: String, _ report: AlignmentReport
  ) -> EditorClip {
    EditorClip(
      path: FilePath.absolute(file.output), name: FilePath.soundStem(name), track: file.label,
      channels: file.channels, sampleRate: SampleRate(hertz: report.sampleRateHertz),
      frames: FrameCount(report.frames), start: 0, timeReference: report.timeReference ?? 0)
  }

  /// A raw file, in pieces where samples are missing or do not belong.
  private static func raw(
    _ file: AlignedFile, name: String, earliest: Double, _ part: Part?
  ) -> [EditorClip] {
    let rate = Double(file.sampleRateHertz)
    return RawPieces.of(file).map { piece in
      var clip = EditorClip(
        path: FilePath.absolute(file.path), name: FilePath.soundStem(name), track: file.label,
        channels: file.channels, sampleRate: SampleRate(hertz: file.sampleRateHertz),
        frames: FrameCount(piece.frames.upperBound - piece.frames.lowerBound),
        start: max(0, piece.timeline.lowerBound - earliest),
        playRate: Double(piece.frames.count) / rate
          / (piece.timeline.upperBound - piece.timeline.lowerBound),
        timeReference: part?.subject.wave?.bext?.timeReference ?? 0)
      clip.mediaStart = FrameCount(piece.frames.lowerBound)
      clip.mediaFrames = FrameCount(file.frames)
      return clip
    }
  }

  /// The clip with what iXML says of its file.
  private static func told(_ clip: EditorClip, by part: Part?) -> EditorClip {
    guard let ixml = part?.subject.wave?.ixml.map({ IXMLReading($0) }) else { return clip }
    var clip = clip
    clip.scene = ixml.scene ?? ""
    clip.take = ixml.take ?? ""
    clip.note = ixml.note ?? ""
    return clip
  }

  /// The one clip that stands for clips which are channels of one file.
  private static func together(_ clips: [EditorClip]) -> [EditorClip] {
    guard let first = clips.first else { return [] }
    var clip = EditorClip(
      path: first.path, name: FilePath.soundStem(FilePath.name(first.path)), track: "poly",
      channels: clips.reduce(0) { $0 + $1.channels }, sampleRate: first.sampleRate,
      frames: first.frames, start: 0, timeReference: first.timeReference)
    (clip.scene, clip.take, clip.note) = (first.scene, first.take, first.note)
    return [clip]
  }
}
