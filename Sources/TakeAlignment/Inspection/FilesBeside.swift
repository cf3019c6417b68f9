internal import BroadcastWave
internal import FoundationEssentials
internal import Recording

/// What lies beside a sound file and belongs to it.
struct FilesBeside {
  private(set) var family: [String] = []
  private(set) var log: LogReport?
  private(set) var summary: TakeSummaryReport?
  private(set) var oddities: [String] = []

  /// The most files that are looked at, and the largest `take.json` that is read.
  static let fileLimit = 4096
  static let summaryLimit: UInt64 = 1 << 20

  init(path: String, wave: WaveReader, ixml: IXMLReading?) {
    let folder = FilePath.folder(path)
    // A folder that may not be listed hides its other files, not this one.
    let names = (try? TakeFolder.names(in: folder))?.prefix(Self.fileLimit) ?? []
    if let uid = ixml?.fileSet?.familyUID {
      family = names.filter { name in
        name.lowercased().hasSuffix(".wav") && Self.family(of: "\(folder)/\(name)") == uid
      }
    }
    takeLog(of: path, wave: wave)
    for name in names where summary == nil && name.hasSuffix(".take.json") {
      takeSummary("\(folder)/\(name)", of: FilePath.name(path), frames: Int64(wave.frames))
    }
  }

  private static func family(of path: String) -> String? {
    guard let file = try? InputFile(path: path), let wave = try? file.wave() else { return nil }
    return wave.ixml.map { IXMLReading($0) }?.fileSet?.familyUID
  }

  private mutating func takeLog(of path: String, wave: WaveReader) {
    let logPath = TimingLogFile.path(ofSound: path)
    guard TakeFolder.exists(logPath) else { return }
    let found: TimingLogFile
    do throws(AlignmentError) { found = try TimingLogFile(path: logPath) } catch {
      oddities.append(error.description)
      return
    }
    let report = LogReport(path: logPath, log: found)
    log = report
    if let reason = LoggedFile.contradiction(log: found, wave: wave) {
      oddities.append("the timing log and the sound contradict each other: \(reason)")
    }
    if let samples = wave.bext?.timeReference, samples != found.header.timeReference {
      oddities.append(
        "bext begins at sample \(samples), the timing log at \(found.header.timeReference)")
    }
    oddities += found.damage.warnings
    if !report.hasEnd { oddities.append("the recording was interrupted: the log has no end") }
    if report.isComplete == false {
      oddities.append("the file does not reach from the take's beginning to its end")
    }
    if report.lostFrames > 0 {
      oddities.append("\(report.lostFrames) frames were lost and are silence")
    }
  }

  private mutating func takeSummary(_ path: String, of name: String, frames: Int64) {
    guard let file = try? InputFile(path: path), file.length <= Self.summaryLimit,
      let bytes = try? file.read(at: 0, count: Int(file.length)),
      let stored = try? JSONDecoder().decode(
        TakeSummaryReport.Stored.self, from: Data(bytes)),
      stored.files.contains(name)
    else { return }
    summary = TakeSummaryReport(path: path, stored: stored)
    if stored.files.count == 1, stored.frames != frames {
      oddities.append("take.json counts \(stored.frames) frames, the sound has \(frames)")
    }
  }
}
