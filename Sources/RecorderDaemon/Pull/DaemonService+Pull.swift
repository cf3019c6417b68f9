internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// Bringing a take's files together.
extension DaemonService {
  /// The most takes that are pulled at once.
  static let mostPulledTakes = 1000

  /// Begins to pull, or says how that stands where it was begun.
  func pull(_ request: ControlRequest) async throws(Refusal) -> PullReport {
    if let pulling, !pulling.isOver { return pulling }
    let target = request.destination ?? options.output
    guard target.hasPrefix("/") || request.destination == nil else {
      throw Refusal(reason: "the folder must be a whole path, not \(target)", exitCode: .usage)
    }
    let list = try await listTakes(ControlRequest(.takes))
    let takes =
      request.takeLabel.map { label in list.takes.filter { $0.label == label } }
      ?? list.takes
    guard !takes.isEmpty else {
      let known = list.takes.map(\.label).suffix(12).joined(separator: ", ")
      let label = request.takeLabel.map { "no take \($0)" } ?? "no take yet"
      throw Refusal(
        reason: "the session has \(label)" + (known.isEmpty ? "" : "; it has \(known)"),
        exitCode: .failed)
    }
    if let rolling = takes.first(where: \.isRolling), request.takeLabel != nil {
      throw Refusal(
        reason: "take \(rolling.label) is rolling; run: recorder stop", exitCode: .wrongState)
    }
    let wanted = takes.filter { !$0.isRolling }.prefix(Self.mostPulledTakes).map(\.id)
    var report = PullReport()
    report.missingHosts = list.missing + absentHosts()
    pulling = report
    pullSources = []
    pullTask = Task { await pull(Array(wanted), to: target) }
    return report
  }

  /// Hosts with a card that were heard once and are not now: they may have a part that nobody can
  /// tell.
  private func absentHosts() -> [String] {
    connected.filter { $0.value == .disconnected && reports[$0.key]?.report.input != nil }.keys
      .map(name(of:)).sorted()
  }

  func pullProgress() throws(Refusal) -> PullReport {
    guard let pulling else {
      throw Refusal(reason: "nothing is being pulled; run: recorder pull", exitCode: .wrongState)
    }
    return pulling
  }

  private func pull(_ takes: [TakeID], to target: String) async {
    for take in takes { await listAll(of: take, to: target) }
    var place = 0
    while let count = pulling?.files.count, place < count, !Task.isCancelled {
      await pullFile(place)
      place += 1
    }
    pulling?.isOver = true
  }

  /// Asks every host for its files of a take.
  private func listAll(of take: TakeID, to target: String) async {
    var asked: [Member] = []
    do throws(Refusal) {
      asked = try members(named: [])
    } catch {
      return
    }
    for page in 0..<Self.mostFilePages where !asked.isEmpty {
      let answers = await callRoll(.listFiles(take: take, page: page), of: asked)
      for answer in answers where answer.outcome == .done {
        for file in answer.files ?? [] { add(file, of: take, from: answer, to: target) }
      }
      for answer in answers where answer.outcome == .missing {
        if pulling?.missingHosts.contains(answer.label) == false {
          pulling?.missingHosts.append(answer.label)
        }
      }
      let unfinished = Set(answers.filter { ($0.filesLeft ?? 0) > 0 }.map(\.peer))
      asked = asked.filter { unfinished.contains($0.peer) }
    }
  }

  private static let mostFilePages = 64

  private func add(
    _ file: TakeFile, of take: TakeID, from host: HostAnswer, to target: String
  ) {
    let parts = file.folder.split(separator: "/").map(String.init)
    guard TakeFiles.isPlain(file.name), parts.count == 2, parts.allSatisfy(TakeFiles.isPlain),
      file.presentName.map(TakeFiles.isPlain) ?? true
    else { return say("\(host.label) tells of a file whose name leads elsewhere: left out") }
    let folder = target + "/" + file.folder
    if pulling?.folders.contains(folder) == false { pulling?.folders.append(folder) }
    var entry = PullReport.File(
      peer: host.peer, label: host.label, name: file.name, path: folder + "/" + file.name,
      bytes: file.bytes ?? 0)
    if file.bytes == nil {
      entry.state = .missing
      entry.note = "\(host.label) has it no more in \(file.folder)"
    } else if let other = file.presentName {
      entry.note = "it is called \(other) on \(host.label) now"
    }
    pullSources.append(PullSource(take: take, file: file))
    pulling?.files.append(entry)
  }
}

/// Where a file comes from.
struct PullSource {
  let take: TakeID
  let file: TakeFile

  var presentName: String { file.presentName ?? file.name }
}
