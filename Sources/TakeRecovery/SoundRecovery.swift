internal import BroadcastWave
internal import Glibc
internal import Recording
internal import Units

/// Makes one sound file whole, with its timing log.
struct SoundRecovery {
  private let stem: String
  private let isDryRun: Bool
  private let own: PeerID?
  private let sound: String
  private let isSoundOpen: Bool
  /// The timing log, where there is one, and whether it was left open.
  private let log: (path: String, isOpen: Bool)?
  private let records: TakeRecords
  private var file: RecoveryReport.File
  /// What it is of a take that has no `take.json` yet.
  private(set) var part: RecoveredPart?

  init(stem: String, isDryRun: Bool, own: PeerID?, records: TakeRecords) {
    self.records = records
    self.stem = stem
    self.isDryRun = isDryRun
    self.own = own
    let plain = stem.hasSuffix(".WAV") ? stem : stem + ".wav"
    isSoundOpen = Folder.exists(stem + ".wav.part")
    sound = isSoundOpen ? stem + ".wav.part" : plain
    let logs = [(stem + ".timing.jsonl.part", true), (stem + ".timing.jsonl", false)]
    log = logs.first { Folder.exists($0.0) }
    file = RecoveryReport.File(path: sound, outcome: .whole)
  }

  /// Whether the recorder that began the files did not come to their end.
  private var isInterrupted: Bool {
    guard let log else { return isSoundOpen }
    return isSoundOpen || log.isOpen || !isTold
  }

  /// Whether a `take.json` tells of the file, or never will.
  private var isTold: Bool {
    let name = Folder.name(of: stem)
    guard let recorded = RecordedName(name) else { return true }
    return records.tell(
      of: recorded, stem: name, in: String(stem.dropLast(name.count)))
  }

  /// Nothing where the file is none that was asked for.
  mutating func run() -> RecoveryReport.File? {
    if own != nil && (log == nil || !isInterrupted) { return nil }
    do throws(RecoveryError) {
      guard try recover() else { return nil }
      if !file.done.isEmpty { file.outcome = isDryRun ? .recoverable : .recovered }
    } catch {
      if case .busy = error { file.outcome = .busy } else { file.outcome = .failed }
      file.reason = error.description
    }
    return file
  }

  private mutating func recover() throws(RecoveryError) -> Bool {
    let held = try HeldFile(path: sound, isReadOnly: isDryRun)
    guard held.length > 0 else {
      file.outcome = .empty
      file.reason = "it is empty: nothing was recorded yet when it was interrupted"
      return own == nil
    }
    let plan: WaveRepair
    do throws(WaveError) { plan = try self.plan(held, cues: []) } catch {
      // An unreadable file of somebody else is nobody's take.
      if own != nil { return false }
      throw .unusable(path: sound, reason: error.description)
    }
    if let log, isInterrupted { return try recover(held, plan, log) }
    let needsVoucher = !plan.patches.isEmpty || plan.rebuild != nil
    try mend(held, by: needsVoucher ? vouched(held) ?? plan : plan, keepsUndo: true)
    if plan.rebuild != nil { return true }
    if isSoundOpen { file.assumed.append("no timing log lies beside it") }
    try giveName(sound, isOpen: isSoundOpen, what: "the sound file")
    return true
  }

  /// Makes whole what this recorder began; false where another host did and one's own was asked
  /// for.
  private mutating func recover(
    _ held: borrowing HeldFile, _ plan: WaveRepair, _ log: (path: String, isOpen: Bool)
  ) throws(RecoveryError) -> Bool {
    let heldLog = try HeldFile(path: log.path, isReadOnly: isDryRun || !log.isOpen)
    let ending = try readLog(heldLog, frames: plan.frames)
    if let own, ending?.header.peer != own { return false }
    var whole = plan
    if let cues = ending?.cues, !cues.isEmpty, isSoundOpen, plan.rebuild == nil {
      do throws(WaveError) { whole = try self.plan(held, cues: cues) } catch {
        throw .unusable(path: sound, reason: error.description)
      }
    }
    try mend(held, by: whole, keepsUndo: ending == nil)
    if let ending, log.isOpen { try end(heldLog, ending: ending, frames: plan.frames) }
    if let ending, plan.rebuild == nil { notePart(held, ending, plan) }
    try giveName(sound, isOpen: isSoundOpen && plan.rebuild == nil, what: "the sound file")
    if ending != nil { try giveName(log.path, isOpen: log.isOpen, what: "its timing log") }
    return true
  }

  private func plan(
    _ held: borrowing HeldFile, cues: [CuePoint], vouchedFrames: UInt64? = nil
  ) throws(WaveError) -> WaveRepair {
    try WaveRepair(
      length: held.length, isInterrupted: isSoundOpen, cues: cues, vouchedFrames: vouchedFrames
    ) {
      offset, count throws(WaveError) in try held.read(at: offset, count: count)
    }
  }

  /// The repair of a closed file whose timing log was closed too, and knows how long it is.
  private func vouched(_ held: borrowing HeldFile) -> WaveRepair? {
    guard let log, !log.isOpen, !isSoundOpen else { return nil }
    do {
      let heldLog = try HeldFile(path: log.path, isReadOnly: true)
      guard heldLog.length <= InterruptedLog.sizeLimit else { return nil }
      let bytes = try heldLog.take(at: 0, count: Int(heldLog.length))
      guard let frames = InterruptedLog(bytes: bytes, frames: .max)?.summary?.frames, frames >= 0
      else { return nil }
      return try plan(held, cues: [], vouchedFrames: UInt64(frames))
    } catch {
      // Then nobody vouches for it.
      return nil
    }
  }

  private mutating func mend(
    _ held: borrowing HeldFile, by repair: WaveRepair, keepsUndo: Bool
  ) throws(RecoveryError) {
    file.frames = repair.frames
    file.seconds = Double(repair.frames) / Double(repair.format.sampleRate.hertz)
    file.assumed += repair.assumptions
    if let rebuild = repair.rebuild { return try make(rebuild, of: held) }
    guard !repair.patches.isEmpty else { return }
    file.done.append("made the header tell of \(repair.frames) frames")
    if repair.addsCues {
      file.done.append("put the log's markers and gaps behind the audio as cues")
    }
    guard !isDryRun else { return }
    if keepsUndo { try keepUndo(held, repair.patches) }
    // The header never promises what is not on the disk.
    try held.synchronize()
    for patch in repair.patches {
      try held.write(patch.bytes, at: patch.offset)
      if patch.offset >= repair.audioOffset { try held.synchronize() }
    }
    try held.synchronize()
  }

  private mutating func keepUndo(
    _ held: borrowing HeldFile, _ patches: [FilePatch]
  ) throws(RecoveryError) {
    // Beside the name that the file will bear.
    let name = isSoundOpen ? String(sound.dropLast(".part".count)) : sound
    guard let path = UndoFile.freePath(for: name) else {
      throw .unusable(
        path: sound, reason: "too many records of what was written over lie beside it")
    }
    try UndoFile.write(patches, of: held, to: path)
    file.undo = path
  }

  /// The file stays as it is, and a new one appears beside it.
  private mutating func make(
    _ rebuild: WaveRebuild, of held: borrowing HeldFile
  ) throws(RecoveryError) {
    let path = (stem.hasSuffix(".WAV") ? String(stem.dropLast(4)) : stem) + "_rebuilt.wav"
    file.rebuilt = path
    guard !Folder.exists(path) else {
      file.assumed.append("\(Folder.name(of: path)) was made of it before")
      return
    }
    file.done.append("wrote \(Folder.name(of: path)) with a new header; this file stays as it is")
    if !isDryRun { try NewFile.create(path, by: rebuild, of: held) }
  }

  /// The timing log, or nothing where it cannot be read.
  private mutating func readLog(
    _ held: borrowing HeldFile, frames: UInt64
  ) throws(RecoveryError) -> InterruptedLog? {
    let length = held.length
    let isReadable = length <= InterruptedLog.sizeLimit
    let bytes = isReadable ? try held.take(at: 0, count: Int(length)) : []
    let ending = InterruptedLog(bytes: bytes, frames: frames)
    if ending == nil {
      file.assumed.append("its timing log does not begin as one and is left as it is")
    }
    return ending
  }

  /// Takes note of what the file is of its take, where no `take.json` tells of it.
  private mutating func notePart(
    _ held: borrowing HeldFile, _ log: InterruptedLog, _ plan: WaveRepair
  ) {
    guard !isTold, let name = RecordedName(Folder.name(of: stem)) else { return }
    part = RecoveredPart(
      stem: stem, name: name, log: log, frames: plan.frames, bytes: held.length,
      format: plan.format, ixml: Self.ixml(of: held))
  }

  private static func ixml(of held: borrowing HeldFile) -> IXMLReading? {
    do {
      let wave = try WaveReader(length: held.length) { offset, count throws(WaveError) in
        try held.read(at: offset, count: count)
      }
      return wave.ixml.map { IXMLReading($0) }
    } catch {
      // A file whose sizes are still to be made true says less.
      return nil
    }
  }

  /// Ends the log with a whole last line.
  private mutating func end(
    _ held: borrowing HeldFile, ending: InterruptedLog, frames: UInt64
  ) throws(RecoveryError) {
    let torn = held.length - min(held.length, ending.wholeLength)
    if ending.damagedLines > 0 {
      file.assumed.append(
        "\(ending.damagedLines) damaged lines of the timing log count for nothing")
    }
    if torn > 0 { file.done.append("cut \(torn) bytes of a torn line off the timing log") }
    if ending.summary == nil { file.done.append("ended the timing log as recovered") }
    guard !isDryRun else { return }
    if torn > 0 { try held.cut(to: ending.wholeLength) }
    if ending.summary == nil {
      let line = TimingLogEntry.summary(ending.ending(frames: frames))
      try held.write(NewFile.json(line), at: ending.wholeLength)
    }
    try held.synchronize()
  }

  private mutating func giveName(
    _ path: String, isOpen: Bool, what: String
  ) throws(RecoveryError) {
    guard isOpen else { return }
    let name = String(path.dropLast(".part".count))
    guard !Folder.exists(name) else {
      // A power cut in the middle of a renaming can leave both names, of one and the same file.
      guard try HeldFile.haveSameBytes(path, name) else {
        throw .unusable(path: path, reason: "\"\(name)\" is there too, and is never replaced")
      }
      file.done.append("took \(Folder.name(of: path)) away, the same as \(Folder.name(of: name))")
      if !isDryRun { try Folder.remove(path) }
      if path == sound { file.path = name }
      return
    }
    file.done.append("gave \(what) its name")
    guard !isDryRun else { return }
    try Folder.rename(path, to: name)
    try Folder.synchronize(of: name)
    if path == sound { file.path = name }
  }
}
