internal import BroadcastWave
internal import Recording
internal import Units

/// Says more of a take that is closed.
enum TakeEditing {
  /// Has the take's files say how many there are on all hosts.
  ///
  /// - Returns: what is still to be done: the files' digests.
  static func tell(
    totalFiles: Int, in entry: TakeArchive.Entry
  ) throws(CaptureError) -> TakeClosing {
    try edit(entry) { summary in
      summary.totalFiles = totalFiles
    } ixml: { ixml, _ in
      ixml.fileSet?.totalFiles = totalFiles
    }
    return TakeClosing(folder: entry.folder, name: entry.name, tellsFiles: false)
  }

  /// Puts remarks into the iXML of the take's files and into `take.json`.
  ///
  /// - Returns: what is still to be done: the files' digests.
  static func remark(
    _ remarks: TakeRemarks, in entry: TakeArchive.Entry
  ) throws(CaptureError) -> TakeClosing {
    try edit(entry) { summary in
      summary.remarks = (summary.remarks ?? TakeRemarks()).merged(with: remarks)
    } ixml: { ixml, summary in
      ixml.note = summary.remarks?.note
      ixml.isCircled = summary.remarks?.isCircled ?? false
    }
    return TakeClosing(folder: entry.folder, name: entry.name, tellsFiles: false)
  }

  /// Marks the instant `shared` in the take's files, as cue, label and sync point, and in
  /// `take.json`.
  ///
  /// - Parameter limit: how large a file's cues and labels may be, in bytes.
  /// - Returns: what is still to be done: the files' digests; nothing where the take has no frame of
  ///   that instant.
  static func mark(
    _ text: String, at shared: SharedInstant, in entry: TakeArchive.Entry, limit: Int
  ) throws(CaptureError) -> TakeClosing? {
    let lock = FolderLock(entry.folder)
    defer { lock.release() }
    var summary = TakeSummaryFile.read(entry.path) ?? entry.summary
    guard let (frame, files) = place(of: shared, in: summary, entry.folder) else { return nil }
    let marker = TimingLogMarker(frame: frame, text: text, shared: shared)
    if (summary.markers?.count ?? 0) < TakeMarks.mostMarkers {
      summary.markers = ((summary.markers ?? []) + [marker]).sorted {
        ($0.frame, $0.text) < ($1.frame, $1.text)
      }
    }
    forgetDigests(of: &summary)
    try TakeSummaryFile.replace(summary, at: entry.path)
    for file in files {
      try ClosedFile.mark(marker, in: file, folder: entry.folder, limit: limit)
    }
    return TakeClosing(folder: entry.folder, name: entry.name, tellsFiles: false)
  }

  /// The take's frame of the instant `shared`, and the files that have it.
  private static func place(
    of shared: SharedInstant, in summary: TakeSummary, _ folder: String
  ) -> (frame: Int64, files: [TakeSummary.File])? {
    guard let hertz = summary.sampleRateHertz, hertz > 0 else { return nil }
    let lastEnd = summary.fileDetails?.map { $0.firstFrame + $0.frames }.max() ?? 0
    for file in summary.fileDetails ?? [] {
      // A scene may be called "x.wav": the last four characters alone are the ending.
      let log = folder + "/" + file.name.dropLast(".wav".count) + ".timing.jsonl"
      guard let bytes = ClosedFile.contents(of: log, limit: LoggedPlaces.sizeLimit),
        let places = LoggedPlaces(bytes: bytes, rate: SampleRate(hertz: hertz))
      else { continue }
      let frame = file.firstFrame + places.frame(at: shared)
      let end = file.firstFrame + file.frames
      guard frame >= file.firstFrame, frame < end || (end == lastEnd && frame == end) else {
        continue
      }
      let files = summary.fileDetails?.filter {
        $0.firstFrame == file.firstFrame && $0.segment == file.segment
      }
      return (frame, files ?? [])
    }
    return nil
  }

  /// Until they are taken anew nobody knows the digests.
  private static func forgetDigests(of summary: inout TakeSummary) {
    summary.fileDetails = summary.fileDetails?.map { file in
      var file = file
      file.sha256 = nil
      return file
    }
  }

  /// Changes both under the folder's lock, which whoever takes digests waits for.
  private static func edit(
    _ entry: TakeArchive.Entry, summary change: (inout TakeSummary) -> Void,
    ixml: (inout IXML, TakeSummary) -> Void
  ) throws(CaptureError) {
    let lock = FolderLock(entry.folder)
    defer { lock.release() }
    var summary = TakeSummaryFile.read(entry.path) ?? entry.summary
    change(&summary)
    forgetDigests(of: &summary)
    try TakeSummaryFile.replace(summary, at: entry.path)
    for name in summary.files {
      try ClosedFile.editMetadata(of: entry.folder + "/" + name) { ixml(&$0, summary) }
    }
  }
}
