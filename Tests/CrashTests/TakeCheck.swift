import BroadcastWave
import FoundationEssentials
import Glibc
import Recording
import SoundFile
import TakeRecovery
import Units

/// Whether the files of a take are what they must be, however they came to be left.
struct TakeCheck {
  /// Frames that a second has.
  static let rate = 48_000
  static let audioOffset = 16_384

  private(set) var problems: [String] = []
  private(set) var files = 0
  /// Files of which not even the header was whole yet.
  private(set) var unborn = 0
  /// By how much a file's header fell short of its audio at most, in frames.
  private(set) var worstShortfall = 0
  private(set) var recovered = 0
  /// By how much the headers fell short of the moment of a kill at most, in seconds.
  private(set) var worstLoss = 0.0
  /// What recovering made whole may have a torn frame behind all that its sizes tell of.
  private var isRecovered = false
  /// Whether pages of what was not synced may be missing.
  var hasHoles = false

  /// Looks at all files below `folder`.
  ///
  /// - Parameter usesPrograms: whether sox and ffprobe have a look too.
  mutating func look(at folder: String, usesPrograms: Bool, reference: [UInt8]? = nil) {
    for path in Files.below(folder) {
      if path.hasSuffix(".wav") || path.hasSuffix(".wav.part") {
        check(path, bytes: Files.bytes(path), usesPrograms: usesPrograms, reference: reference)
      } else if path.hasSuffix(".take.json") {
        let bytes = Files.bytes(path)
        if (try? JSONDecoder().decode(TakeSummary.self, from: Data(bytes))) == nil {
          problems.append("\(path) is no take.json")
        }
      } else if path.hasSuffix(".timing.jsonl") || path.hasSuffix(".timing.jsonl.part") {
        checkLog(path)
      }
    }
  }

  private mutating func checkLog(_ path: String) {
    // What stands behind the last line's end may be torn.
    let lines = Files.bytes(path).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropLast()
    for line in lines
    where !hasHoles && (try? JSONDecoder().decode(TimingLogEntry.self, from: Data(line))) == nil {
      problems.append("\(path) has a line that is none")
    }
  }

  mutating func check(
    _ path: String, bytes: [UInt8], usesPrograms: Bool, reference: [UInt8]? = nil
  ) {
    files += 1
    let isOpen = path.hasSuffix(".part")
    guard bytes.count >= Self.audioOffset else {
      unborn += 1
      if !isOpen { problems.append("\(path) bears its name and has \(bytes.count) bytes") }
      return
    }
    func number(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    let told = number(Self.audioOffset - 4)
    let frame = Self.bytesPerFrame(bytes)
    let written = bytes.count - Self.audioOffset
    if told > written { problems.append("\(path) promises \(told) bytes and has \(written)") }
    let shortfall = (written - told) / frame
    if isOpen {
      // While a beginning is kept safe elsewhere the take's own file may be behind.
      let draft = path.replacing("_001.wav", with: "_000.wav")
      if draft == path || access(draft, F_OK) != 0 {
        worstShortfall = max(worstShortfall, shortfall)
        if shortfall > Self.rate { problems.append("\(path) falls \(shortfall) frames short") }
      }
    } else if !(0..<(isRecovered ? frame : 1)).contains(bytes.count - number(4) - 8)
      || told == 0 && written >= frame
    {
      problems.append("\(path) bears its name and its sizes are not true")
    }
    let audio = Array(bytes[Self.audioOffset..<Self.audioOffset + min(told, written)])
    if let reference, !path.contains("_000.wav") {
      if !Self.begins(reference, with: audio) {
        problems.append("\(path) has other audio than was heard")
      }
    } else if !(isRecovered && hasHoles), let words = Self.breaks(in: audio, frame: frame) {
      problems.append("\(path): \(words)")
    }
    read(path, frames: told / frame, written: written / frame, usesPrograms: usesPrograms)
  }

  /// By the file's own `fmt `: the card is stereo of 24 bits, in one file or in two.
  private static func bytesPerFrame(_ bytes: [UInt8]) -> Int { max(1, Int(bytes[48 + 8 + 12])) }

  /// By how much what the headers of a take tell of falls short of `seconds`, for how long the take
  /// had gone on.
  mutating func measureLoss(of folder: String, after seconds: Double, mono: Bool) {
    var files = frames(below: folder)
    // What is kept safe of a beginning begins a little earlier.
    let draft = files.filter { $0.key.hasSuffix("_000.wav") }
    for name in draft.keys { files[name] = nil }
    let own = files.values.reduce(0, +) / (mono ? 2 : 1)
    let most = max(own, (draft.values.min() ?? 0) - Self.rate / 20)
    worstLoss = max(worstLoss, seconds - Double(most) / Double(Self.rate))
  }

  /// Others must read as many frames as the header tells of; of an open file without any, some
  /// take all that is there.
  private mutating func read(_ path: String, frames: Int, written: Int, usesPrograms: Bool) {
    func expect(_ found: Int?, _ who: String) {
      if found == frames || frames == 0 && found.map({ $0 <= written }) == true { return }
      problems.append("\(path): \(who) reads \(found.map(String.init) ?? "nothing"), not \(frames)")
    }
    do {
      expect(Int(try SoundFileReader(path: path).frames.value), "libsndfile")
    } catch {
      problems.append("\(path): libsndfile: \(error)")
    }
    guard usesPrograms, frames > 0 else { return }
    // sox goes by a file's ending.
    let link = "/tmp/recorder-crash-\(getpid()).wav"
    unlink(link)
    symlink(path, link)
    expect(Int(Files.output(of: "sox --i -s '\(link)'").filter { $0.isNumber }), "sox")
    unlink(link)
    let entry = "ffprobe -v error -f wav -show_entries stream=duration_ts -of csv=p=0 '\(path)'"
    expect(Int(Files.output(of: entry).filter { $0.isNumber }), "ffprobe")
  }

  private static func begins(_ whole: [UInt8], with part: [UInt8]) -> Bool {
    whole.count >= part.count && memcmp(whole, part, part.count) == 0
  }

  /// Frame after frame as the card heard them, but for silence where frames were lost.
  private static func breaks(in audio: [UInt8], frame: Int) -> String? {
    var expected: Int?
    return audio.withUnsafeBufferPointer { audio in
      for place in stride(from: 0, to: audio.count - frame + 1, by: frame) {
        let raw = Int32(audio[place]) | Int32(audio[place + 1]) << 8 | Int32(audio[place + 2]) << 16
        let value = Double(raw << 8) / 2_147_483_648
        if raw == 0 {
          expected = nil
          continue
        }
        let step = Int((value * 1024 + 510.5).rounded())
        // 37 · 138 = 5106 = 5 · 1021 + 1.
        let index = ((step * 138) % Probe.period + Probe.period) % Probe.period
        if let expected, index != expected {
          return "frame \(place / frame) is number \(index) of \(Probe.period), not \(expected)"
        }
        expected = (index + 1) % Probe.period
      }
      return nil
    }
  }

  /// Recovers what is below `folder`, and looks again: all must be whole, and nothing shorter.
  ///
  /// - Parameter hasHoles: whether what no header vouched for may have holes, as after a cut of the
  ///   power.
  mutating func recover(_ folder: String, hasHoles: Bool = false) {
    let before = frames(below: folder)
    do {
      let report = try TakeRecovery(inputs: [folder]).run()
      for file in report.files {
        if file.outcome == .recovered { recovered += 1 }
        if file.outcome == .failed && !isUnborn(file.path) {
          problems.append("recovering \(file.path): \(file.reason ?? "failed")")
        }
      }
      let again = try TakeRecovery(inputs: [folder]).run()
      for file in again.files where file.outcome == .recovered {
        problems.append("recovering \(file.path) twice did \(file.done)")
      }
    } catch {
      problems.append("recovering \(folder): \(error)")
    }
    checkSummaries(folder)
    let after = frames(below: folder)
    for (stem, frames) in before where after[stem] ?? -1 < frames {
      problems.append("\(stem) had \(frames) frames, and \(after[stem] ?? -1) when recovered")
    }
    var look = TakeCheck()
    look.isRecovered = true
    look.hasHoles = hasHoles
    look.look(at: folder, usesPrograms: false)
    problems += look.problems.map { "recovered: " + $0 }
  }

  /// Every file is told of by one `take.json`, once all is recovered.
  private mutating func checkSummaries(_ folder: String) {
    let all = Files.below(folder)
    if all.contains(where: { $0.hasSuffix(".part") }) { return }
    let told = all.filter { $0.hasSuffix(".take.json") }.flatMap { path in
      (try? JSONDecoder().decode(TakeSummary.self, from: Data(Files.bytes(path))))?.files ?? []
    }
    let names = all.filter { $0.hasSuffix(".wav") }.compactMap {
      $0.split(separator: "/").last.map(String.init)
    }
    // Where not even the log's first line was written nobody knows which take it is of.
    let isUnknown = all.contains { path in
      guard path.hasSuffix(".wav") else { return false }
      let log = Files.bytes(String(path.dropLast(4)) + ".timing.jsonl")
      let line = Data(log.prefix { $0 != UInt8(ascii: "\n") })
      return (try? JSONDecoder().decode(TimingLogEntry.self, from: line)) == nil
    }
    if isUnknown { return }
    // The first segment holds what the draft does; one that begins as the second does not.
    let holdsDraft = names.contains { $0.hasSuffix("_001.wav") }
    let own = names.filter { !holdsDraft || !$0.hasSuffix("_000.wav") }
    if told.sorted() != own.sorted() {
      problems.append("take.json tells of \(told), there are \(names)")
    }
  }

  private func isUnborn(_ path: String) -> Bool {
    Files.bytes(path).count < Self.audioOffset
  }

  /// Whole frames on the disk, by the file's path without `.part`.
  private func frames(below folder: String) -> [String: Int] {
    var found: [String: Int] = [:]
    for path in Files.below(folder) where path.hasSuffix(".wav") || path.hasSuffix(".wav.part") {
      let bytes = Files.bytes(path)
      guard bytes.count >= Self.audioOffset else { continue }
      let told = (0..<4).reduce(0) { $0 | Int(bytes[Self.audioOffset - 4 + $1]) << (8 * $1) }
      let isOpen = path.hasSuffix(".part")
      let stem = isOpen ? String(path.dropLast(5)) : path
      // Cues of a close that was under way are no frames.
      found[stem] = told / Self.bytesPerFrame(bytes)
    }
    return found
  }
}
