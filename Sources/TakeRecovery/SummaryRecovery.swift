/// Writes `take.json` where an interruption kept the recorder from it: one for all files that a host
/// has of a take in a folder.
struct SummaryRecovery {
  let isDryRun: Bool
  let records: TakeRecords
  private var groups: [(folder: String, name: RecordedName, parts: [RecoveredPart], file: Int)] = []

  init(isDryRun: Bool, records: TakeRecords) {
    self.isDryRun = isDryRun
    self.records = records
  }

  /// Takes in a part, which is file number `file` of the report.
  mutating func add(_ part: RecoveredPart, file: Int) {
    let place = groups.firstIndex {
      $0.folder == part.folder && $0.name.host == part.name.host && $0.name.take == part.name.take
    }
    if let place {
      groups[place].parts.append(part)
    } else {
      groups.append((part.folder, part.name, [part], file))
    }
  }

  /// Writes what is missing, and says so of the first file of each.
  func run(_ files: inout [RecoveryReport.File]) {
    for group in groups {
      do throws(RecoveryError) {
        try write(group.parts + others(group.folder, group.name, group.parts), &files[group.file])
      } catch {
        files[group.file].outcome = .failed
        files[group.file].reason = "its take.json could not be written: \(error)"
      }
    }
  }

  private func write(
    _ parts: [RecoveredPart], _ file: inout RecoveryReport.File
  ) throws(RecoveryError) {
    guard let take = InterruptedTake(parts), !Folder.exists(take.path) else { return }
    if let open = waits(parts) {
      file.assumed.append(
        "the take has \(open) besides, which is still to be recovered: take.json waits for it")
      return
    }
    file.done.append("wrote \(Folder.name(of: take.path))")
    if file.outcome != .failed { file.outcome = isDryRun ? .recoverable : .recovered }
    if !isDryRun { try NewFile.create(take.path, NewFile.json(try take.summary(), isPretty: true)) }
  }

  /// Files of the take on the same host that nobody asked for and no `take.json` tells of.
  private func others(
    _ folder: String, _ name: RecordedName, _ known: [RecoveredPart]
  ) -> [RecoveredPart] {
    let stems = Set(known.map(\.stem))
    return strangers(folder, name).filter { !stems.contains($0) && !isOpen($0) }.compactMap {
      var recovery = SoundRecovery(stem: $0, isDryRun: true, own: nil, records: records)
      _ = recovery.run()
      return recovery.part
    }
  }

  /// A file of the take that is open still, and was not asked for.
  private func waits(_ parts: [RecoveredPart]) -> String? {
    let stems = Set(parts.map(\.stem))
    return strangers(parts[0].folder, parts[0].name).first {
      !stems.contains($0) && isOpen($0) && !isBusy($0)
    }.map { Folder.name(of: $0) }
  }

  private func isOpen(_ stem: String) -> Bool {
    Folder.exists(stem + ".wav.part") || Folder.exists(stem + ".timing.jsonl.part")
  }

  /// Whether somebody is recording it: the take goes on, and tells of that file itself.
  private func isBusy(_ stem: String) -> Bool {
    for ending in [".wav.part", ".timing.jsonl.part"] where Folder.exists(stem + ending) {
      do throws(RecoveryError) {
        _ = try HeldFile(path: stem + ending, isReadOnly: true)
      } catch {
        if case .busy = error { return true }
      }
    }
    return false
  }

  /// All files of the take on the same host.
  private func strangers(_ folder: String, _ name: RecordedName) -> [String] {
    var seen: Set<String> = []
    return Folder.names(of: folder).compactMap { Folder.stem(of: $0) }.filter { stem in
      guard let found = RecordedName(stem), seen.insert(stem).inserted else { return false }
      return found.host == name.host && found.take == name.take
    }.map { folder + $0 }
  }
}
