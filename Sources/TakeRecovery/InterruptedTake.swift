internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// A host's part of a take that was interrupted before its `take.json` was written.
struct InterruptedTake {
  /// How far a first frame may lie behind T0 and still be the one nearest to it, in nanoseconds.
  private static let tolerance: Int64 = 1_000_000

  /// In order of segment and track.
  let parts: [RecoveredPart]

  /// Nothing where there is no part. A draft counts only where the first segment, which holds it, was
  /// never begun.
  init?(_ parts: [RecoveredPart]) {
    let hasFirst = parts.contains { $0.name.segment == 1 }
    self.parts = parts.filter { $0.name.segment > 0 || !hasFirst }.sorted {
      ($0.name.segment, $0.name.track ?? 0) < ($1.name.segment, $1.name.track ?? 0)
    }
    if parts.isEmpty { return nil }
  }

  private var first: RecoveredPart { parts[0] }

  /// The segments of the first track, or of the only file of each.
  private var lead: [RecoveredPart] { parts.filter { $0.name.track == first.name.track } }

  private var last: RecoveredPart { lead[lead.count - 1] }

  var path: String { first.folder + first.name.summary }

  /// Whether each segment goes on where the one before it ends, from the first frame on.
  private var isSeamless: Bool {
    var next: Int64 = 0
    for part in lead {
      guard part.firstFrame == next else { return false }
      next = part.endFrame
    }
    return true
  }

  /// What `take.json` says of it, by its files and their logs.
  func summary() throws(RecoveryError) -> TakeSummary {
    var account = Account()
    for part in lead { try account.read(part) }
    let endings = lead.map { $0.log.summary ?? $0.log.ending(frames: $0.frames) }
    let ending = endings[endings.count - 1]
    let isComplete = isSeamless && endings.allSatisfy(\.isComplete)
    var summary = TakeSummary(
      take: plan, t0: first.log.header.t0, t1: ending.t1,
      files: parts.map { Folder.name(of: $0.stem) + ".wav" },
      timingLogs: parts.map { Folder.name(of: $0.stem) + ".timing.jsonl" },
      frames: last.endFrame, gaps: account.gaps, isComplete: isComplete, last: account.last)
    fill(&summary, account)
    return summary
  }

  private var plan: TakePlan {
    let header = first.log.header
    var plan = TakePlan(
      id: header.take, name: header.takeName, number: header.takeNumber ?? first.name.number,
      project: first.ixml?.project, tape: first.ixml?.tape, timecode: header.timecode)
    plan.fileCount = first.ixml?.fileSet?.totalFiles
    return plan
  }

  private func fill(_ summary: inout TakeSummary, _ account: Account) {
    let header = first.log.header
    let certificate = account.draft.certificate(t0: summary.t0, t1: summary.t1)
    let judged = TakeVerdict(
      isComplete: summary.isComplete,
      isWhole: header.firstShared.nanoseconds <= header.t0.nanoseconds + Self.tolerance,
      certificate: certificate)
    summary.verdict = judged.verdict
    summary.reasons = judged.reasons + ["recovered after an interruption"]
    if !isSeamless { summary.reasons?.append("files of it are missing") }
    summary.peer = header.peer
    summary.label = header.label
    summary.session = header.session.id
    // A damaged log's figures may lead out of all time.
    summary.t0UnixNanoseconds = Int64(
      exactly: Int128(header.session.anchorUnixNanoseconds) + Int128(header.t0.nanoseconds)
        - Int128(header.session.anchor.nanoseconds))
    summary.utcOffsetSeconds = header.session.utcOffsetSeconds
    summary.sampleRateHertz = first.format.sampleRate.hertz
    summary.bits = first.format.encoding.bits
    summary.channels =
      first.name.track == nil ? first.format.channels : Set(parts.map(\.name.track)).count
    summary.timeReference = header.timeReference
    summary.timecode = timecode(header)
    summary.totalFiles = first.ixml?.fileSet?.totalFiles
    summary.fileDetails = parts.map { part in
      var file = TakeSummary.File(
        name: Folder.name(of: part.stem) + ".wav", segment: part.name.segment,
        track: part.name.track, firstFrame: part.firstFrame, frames: Int64(clamping: part.frames))
      file.bytes = Int64(clamping: part.bytes)
      return file
    }
    summary.markers = account.markers
    summary.certificate = certificate
  }

  private func timecode(_ header: TimingLogHeader) -> String? {
    guard header.timeReference < 1 << 48 else { return nil }
    let setting = header.timecode.flatMap { TimecodeSetting($0) } ?? .usual
    let code = Timecode(
      sample: header.timeReference, sampleRate: first.format.sampleRate, rate: setting.rate)
    return "\(code) at \(setting)"
  }
}

extension InterruptedTake {
  /// What the logs of all segments say.
  private struct Account {
    /// The most markers that are taken over.
    static let mostMarkers = 10_000

    var draft = CertificateDraft()
    var gaps = 0
    var markers: [TimingLogMarker] = []
    var last: TimingLogClock?

    mutating func read(_ part: RecoveredPart) throws(RecoveryError) {
      let path = [".timing.jsonl", ".timing.jsonl.part"].map { part.stem + $0 }
        .first { Folder.exists($0) }
      guard let path else { return }
      let held = try HeldFile(path: path, isReadOnly: true)
      guard held.length <= InterruptedLog.sizeLimit else { return }
      let bytes = try held.take(at: 0, count: Int(held.length))
      let decoder = JSONDecoder()
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        // A damaged line ends nothing; what stands behind it is evidence still.
        guard let entry = try? decoder.decode(TimingLogEntry.self, from: Data(line)) else {
          continue
        }
        take(entry, of: part)
      }
    }

    private mutating func take(_ entry: TimingLogEntry, of part: RecoveredPart) {
      let isWithin = { (frame: Int64) in frame < Int64(clamping: part.frames) }
      switch entry {
      case .clock(let clock):
        guard isWithin(clock.frame) else { return }
        last = clock
      case .gap: gaps += 1
      case .marker(let marker):
        // One that came late lies before its log's file.
        let (frame, isOver) = marker.frame.addingReportingOverflow(part.firstFrame)
        guard frame >= 0, !isOver, isWithin(marker.frame), markers.count < Self.mostMarkers else {
          return
        }
        markers.append(TimingLogMarker(frame: frame, text: marker.text, shared: marker.shared))
      default: break
      }
      draft.take(entry, firstFrame: part.firstFrame)
    }
  }
}
