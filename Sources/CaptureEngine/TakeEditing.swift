internal import BroadcastWave
internal import Recording

/// Says more of a take that is closed.
enum TakeEditing {
  /// Has the take's files say how many there are on all hosts.
  static func tell(
    totalFiles: Int, in entry: TakeArchive.Entry
  ) throws(CaptureError) -> TakeClosing {
    let lock = FolderLock(entry.folder)
    defer { lock.release() }
    var summary = TakeSummaryFile.read(entry.path) ?? entry.summary
    summary.totalFiles = totalFiles
    try edit(&summary, in: entry) { $0.fileSet?.totalFiles = totalFiles }
    return TakeClosing(folder: entry.folder, name: entry.name, tellsFiles: false)
  }

  /// Puts remarks into the iXML of the take's files and into `take.json`.
  ///
  /// - Returns: what is still to be done: the files' digests.
  static func remark(
    _ remarks: TakeRemarks, in entry: TakeArchive.Entry
  ) throws(CaptureError) -> TakeClosing {
    let lock = FolderLock(entry.folder)
    defer { lock.release() }
    var summary = TakeSummaryFile.read(entry.path) ?? entry.summary
    let all = (summary.remarks ?? TakeRemarks()).merged(with: remarks)
    summary.remarks = all
    try edit(&summary, in: entry) { ixml in
      ixml.note = all.note
      ixml.isCircled = all.isCircled ?? false
    }
    return TakeClosing(folder: entry.folder, name: entry.name, tellsFiles: false)
  }

  private static func edit(
    _ summary: inout TakeSummary, in entry: TakeArchive.Entry, _ change: (inout IXML) -> Void
  ) throws(CaptureError) {
    // Until they are taken anew nobody knows the digests.
    summary.fileDetails = summary.fileDetails?.map { file in
      var file = file
      file.sha256 = nil
      return file
    }
    try TakeSummaryFile.replace(summary, at: entry.path)
    for name in summary.files {
      try ClosedFile.editMetadata(of: entry.folder + "/" + name, change)
    }
  }
}
