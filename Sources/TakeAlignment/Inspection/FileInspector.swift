internal import BroadcastWave

/// Reads everything about a sound file and what lies beside it; changes nothing.
public enum FileInspector {
  /// Looks at the file at `path`.
  ///
  /// - Throws: ``AlignmentError/noSuchInput(path:)``, ``AlignmentError/isFolder(path:)`` or
  ///   ``AlignmentError/unreadable(file:reason:)``.
  public static func inspect(_ path: String) throws(AlignmentError) -> FileReport {
    switch TakeFolder.kind(of: path) {
    case .nothing: throw .noSuchInput(path: path)
    case .folder: throw .isFolder(path: path)
    case .file: break
    }
    let file = try InputFile(path: path)
    let wave: WaveReader
    do throws(WaveError) { wave = try file.wave() } catch {
      throw .unreadable(file: path, reason: error.description)
    }
    let ixml = wave.ixml.map { IXMLReading($0) }
    let beside = FilesBeside(path: path, wave: wave, ixml: ixml)
    return FileReport(
      path: path, length: file.length, wave: wave, ixml: ixml, beside: beside,
      oddities: oddities(path: path, length: file.length, wave: wave, ixml: ixml)
        + beside.oddities)
  }

  private static func oddities(
    path: String, length: UInt64, wave: WaveReader, ixml: IXMLReading?
  ) -> [String] {
    var words = wave.assumptions + (ixml?.faults ?? [])
    if path.hasSuffix(".part") {
      words.append("the file is not closed: it is rolling still, or was interrupted")
    }
    if let told = wave.toldLength, told != length {
      words.append("the header says the file has \(told) bytes; it has \(length)")
    }
    if let bext = wave.bext {
      if !bext.originationDate.isEmpty, bext.civilDate == nil {
        words.append("bext's date is none: \"\(bext.originationDate)\"")
      }
      if !bext.originationTime.isEmpty, bext.civilTime == nil {
        words.append("bext's time is none: \"\(bext.originationTime)\"")
      }
    }
    if let text = ixml?.frameRateText, ixml?.frameRate == nil {
      words.append("iXML's timecode rate is none: \"\(text)\"")
    }
    for cue in wave.cues where cue.frame > wave.frames {
      words.append("a cue lies behind the end, at frame \(cue.frame)")
    }
    return words
  }
}

extension InputFile {
  /// The file as a sound file.
  borrowing func wave() throws(WaveError) -> WaveReader {
    try WaveReader(length: length) { offset, count throws(WaveError) in
      try read(at: offset, count: count)
    }
  }
}
