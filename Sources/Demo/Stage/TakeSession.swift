internal import Control
internal import FoundationEssentials
internal import Recording
internal import TakeAlignment
internal import Units

/// Records and aligns one take with the commands that a user has.
struct TakeSession {
  let fleet: Fleet
  let tool: CommandLineTool
  let interruption: Interruption
  let seconds: Int

  /// Arms, starts, asks how things are, and stops; gives what was seen of the take.
  func record() throws(DemoError) -> RecordedTake {
    let socket = ["--socket", fleet.socket(0)]
    try tool.demand(["arm", "--take", "demo", "--json"] + socket)
    let started = try tool.demand(
      ["start", "--in", "1s", "--json"] + socket, for: OrderReport.self)
    try interruption.wait(seconds: 1)
    var rounds: [[HostReport?]] = []
    let pauses = 4
    for _ in 0..<pauses {
      try interruption.wait(seconds: Double(seconds) / Double(pauses))
      rounds.append(try fleet.reports())
      try fleet.check()
    }
    let stopped = try tool.demand(["stop", "--json"] + socket, for: OrderReport.self)
    guard let t0 = started.t0SharedNs, let t1 = stopped.t1SharedNs,
      let folder = (stopped.hosts + started.hosts).compactMap(\.folder).first
    else { throw .failed("the commands did not say when and where the take is") }
    try waitForFiles(in: folder, hosts: rounds.first?.count ?? 0)
    return RecordedTake(
      t0: SharedInstant(nanoseconds: t0), t1: SharedInstant(nanoseconds: t1), folder: folder,
      rounds: rounds)
  }

  /// Waits until every host has closed its files: each then writes what it has to say of them.
  private func waitForFiles(in folder: String, hosts: Int) throws(DemoError) {
    for _ in 0..<100 {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      if names.count(where: { $0.hasSuffix(".take.json") }) >= hosts { return }
      try fleet.check()
      try interruption.wait(seconds: 0.1)
    }
    throw .failed("not all hosts have closed their files in \(folder)")
  }

  /// Aligns the take in `folder`; the report goes to the file `report`.
  func align(_ folder: String, report: String) throws(DemoError) -> AlignmentReport {
    try tool.demand(["align", folder, "--json", report])
    do {
      let text = try Data(contentsOf: URL(filePath: report))
      return try JSONDecoder().decode(AlignmentReport.self, from: text)
    } catch {
      throw .failed("the alignment's report cannot be read: \(error)")
    }
  }
}
