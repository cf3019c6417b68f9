internal import BroadcastWave
internal import Recording

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

  /// Changes both under the folder's lock, which whoever takes digests waits for.
  private static func edit(
    _ entry: TakeArchive.Entry, summary change: (inout TakeSummary) -> Void,
    ixml: (inout IXML, TakeSummary) -> Void
  ) throws(CaptureError) {
    let lock = FolderLock(entry.folder)
    defer { lock.release() }
    var summary = TakeSummaryFile.read(entry.path) ?? entry.summary
    change(&summary)
    // Until they are taken anew nobody knows the digests.
    summary.fileDetails = summary.fileDetails?.map { file in
      var file = file
      file.sha256 = nil
      return file
    }
    try TakeSummaryFile.replace(summary, at: entry.path)
    for name in summary.files {
      try ClosedFile.editMetadata(of: entry.folder + "/" + name) { ixml(&$0, summary) }
    }
  }
}
