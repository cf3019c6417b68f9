internal import BroadcastWave
internal import FoundationEssentials
internal import Glibc
internal import Recording
internal import Units

/// Makes one sound file whole, with its timing log.
struct SoundRecovery {
  private let stem: String
  private let isDryRun: Bool
  private let own: PeerID?
  private let sound: String
  private let log: String
  private let isSoundOpen: Bool
  private let isLogOpen: Bool
  private var file: RecoveryReport.File

  init(stem: String, isDryRun: Bool, own: PeerID?) {
    self.stem = stem
    self.isDryRun = isDryRun
    self.own = own
    let plain = stem.hasSuffix(".WAV") ? stem : stem + ".wav"
    isSoundOpen = Folder.exists(stem + ".wav.part")
    isLogOpen = Folder.exists(stem + ".timing.jsonl.part")
    sound = isSoundOpen ? stem + ".wav.part" : plain
    log = stem + ".timing.jsonl" + (isLogOpen ? ".part" : "")
    file = RecoveryReport.File(path: sound, outcome: .whole)
  }

  /// Nothing where the file is none that was asked for.
  mutating func run() -> RecoveryReport.File? {
    if own != nil && !isSoundOpen && !isLogOpen { return nil }
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
    let repair: WaveRepair
    do {
      repair = try WaveRepair(length: held.length, isInterrupted: isSoundOpen) {
        offset, count throws(WaveError) in try held.read(at: offset, count: count)
      }
    } catch {
      // An empty file of somebody else is nobody's take.
      if own != nil { return false }
      throw .unusable(path: sound, reason: error.description)
    }
    guard isLogOpen else {
      if own != nil { return false }
      try mend(held, by: repair)
      if isSoundOpen { file.assumed.append("no open timing log lies beside it") }
      try giveName(sound, isOpen: isSoundOpen, what: "the sound file")
      return true
    }
    let heldLog = try HeldFile(path: log, isReadOnly: isDryRun)
    let ending = try readLog(heldLog, frames: repair.frames)
    if let own, ending?.header.peer != own { return false }
    try mend(held, by: repair)
    if let ending { try close(heldLog, ending: ending, frames: repair.frames) }
    try giveName(sound, isOpen: isSoundOpen, what: "the sound file")
    if ending != nil { try giveName(log, isOpen: true, what: "its timing log") }
    return true
  }

  private mutating func mend(
    _ held: borrowing HeldFile, by repair: WaveRepair
  ) throws(RecoveryError) {
    file.frames = repair.frames
    file.seconds = Double(repair.frames) / Double(repair.format.sampleRate.hertz)
    file.assumed += repair.assumptions
    guard !repair.patches.isEmpty else { return }
    file.done.append("made the header tell of \(repair.frames) frames")
    guard !isDryRun else { return }
    // The header never promises what is not on the disk.
    try held.synchronize()
    for patch in repair.patches { try held.write(patch.bytes, at: patch.offset) }
    try held.synchronize()
  }

  /// The open timing log, or nothing where it cannot be read.
  private mutating func readLog(
    _ held: borrowing HeldFile, frames: UInt64
  ) throws(RecoveryError) -> InterruptedLog? {
    let length = held.length
    let bytes: [UInt8]
    do throws(WaveError) {
      bytes = length <= InterruptedLog.sizeLimit ? try held.read(at: 0, count: Int(length)) : []
    } catch {
      throw .unusable(path: log, reason: error.description)
    }
    let ending = InterruptedLog(bytes: bytes, frames: frames)
    if ending == nil {
      file.assumed.append("its timing log does not begin as one and is left as it is")
    }
    return ending
  }

  /// Ends the log with a whole last line, and writes `take.json` where there is none.
  private mutating func close(
    _ held: borrowing HeldFile, ending: InterruptedLog, frames: UInt64
  ) throws(RecoveryError) {
    let torn = held.length - min(held.length, ending.wholeLength)
    if torn > 0 { file.done.append("cut \(torn) bytes of a torn line off the timing log") }
    if ending.summary == nil { file.done.append("ended the timing log as recovered") }
    if !isDryRun {
      if torn > 0 { try held.cut(to: ending.wholeLength) }
      if ending.summary == nil {
        let line = TimingLogEntry.summary(ending.ending(frames: frames))
        try held.write(Self.json(line), at: ending.wholeLength)
      }
      try held.synchronize()
    }
    guard let take = ending.takeSummary(stem: stem, frames: frames), !Folder.exists(take.path)
    else { return }
    file.done.append("wrote \(Folder.name(of: take.path))")
    if !isDryRun { try Self.create(take.path, Self.json(take.summary, isPretty: true)) }
  }

  private mutating func giveName(
    _ path: String, isOpen: Bool, what: String
  ) throws(RecoveryError) {
    guard isOpen else { return }
    let name = String(path.dropLast(".part".count))
    guard !Folder.exists(name) else {
      throw .unusable(path: path, reason: "\"\(name)\" is there too, and is never replaced")
    }
    file.done.append("gave \(what) its name")
    guard !isDryRun else { return }
    try Folder.rename(path, to: name)
    try Folder.synchronize(of: name)
    if path == sound { file.path = name }
  }

  private static func json(_ value: some Encodable, isPretty: Bool = false) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    do {
      return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      preconditionFailure("an entry is made of numbers and texts: \(error)")
    }
  }

  /// Writes a new file, which appears under its name when it is whole.
  private static func create(_ path: String, _ bytes: [UInt8]) throws(RecoveryError) {
    let part = path + ".part"
    let descriptor = open(part, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    Glibc.close(descriptor)
    let held = try HeldFile(path: part, isReadOnly: false)
    try held.write(bytes, at: 0)
    try held.synchronize()
    try Folder.rename(part, to: path)
  }
}
