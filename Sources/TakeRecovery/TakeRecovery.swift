public import Units

/// Makes whole what interruptions left: sound files whose sizes are not true, timing logs without
/// an end, and names with `.part`.
///
/// Audio is never cut and no file is ever replaced. What somebody is writing is left alone.
public struct TakeRecovery: Sendable {
  private let inputs: [String]
  private let isDryRun: Bool
  private let own: PeerID?

  /// Looks at files, and at folders with what lies up to two folders below.
  ///
  /// - Parameters:
  ///   - isDryRun: whether to change nothing.
  ///   - own: only interrupted recordings of this host, by their timing logs; nil: all files.
  public init(inputs: [String], isDryRun: Bool = false, own: PeerID? = nil) {
    self.inputs = inputs
    self.isDryRun = isDryRun
    self.own = own
  }

  /// Recovers what there is, and says what became of each file.
  public func run() throws(RecoveryError) -> RecoveryReport {
    var files: [RecoveryReport.File] = []
    let records = TakeRecords()
    var summaries = SummaryRecovery(isDryRun: isDryRun, records: records)
    for stem in try Folder.stems(of: inputs) {
      var recovery = SoundRecovery(stem: stem, isDryRun: isDryRun, own: own, records: records)
      guard let file = recovery.run() else { continue }
      if let part = recovery.part, file.outcome != .failed {
        summaries.add(part, file: files.count)
      }
      files.append(file)
    }
    summaries.run(&files)
    return RecoveryReport(isDryRun: isDryRun, files: files)
  }

  /// Puts back, in the sound files that are named, what the last recovery wrote over.
  public static func undo(_ paths: [String]) -> RecoveryReport {
    let files = paths.map { path in
      do throws(RecoveryError) {
        return try UndoFile.undo(path)
      } catch {
        var file = RecoveryReport.File(path: path, outcome: .failed)
        file.reason = error.description
        return file
      }
    }
    return RecoveryReport(isDryRun: false, files: files)
  }
}
