import FoundationEssentials
import TakeAlignment
import TestLanes
import Testing

/// Sessions of real takes, read by parsers of the tests' own.
@Suite("Editors' sessions of a take", .computing)
struct ExportTests {
  private func exported(_ take: SyntheticTake, _ editor: String, name: String) throws -> String {
    var options = AlignmentOptions(inputs: [take.folder])
    options.exports = [editor]
    options.onlyReports = true
    options.output = take.folder + "/sessions"
    options.replacesExisting = true
    _ = try TakeAligner(options).run()
    return try String(contentsOf: URL(filePath: "\(options.output ?? "")/\(name)"), encoding: .utf8)
  }

  @Test("Audacity's list names every raw file where it begins, in the strictest form")
  func audacity() throws {
    let take = try TakeAlignerTests.written()
    let text = try exported(take, "audacity", name: "scene.lof")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines.first?.hasPrefix("# ") == true)
    var offsets: [String: Double] = [:]
    for line in lines.dropFirst().dropLast() {
      let match = try #require(line.wholeMatch(of: /file "([^"]+)" offset (\d+\.\d{9})/), "\(line)")
      offsets[String(match.1)] = Double(match.2)
    }
    // The timeline of what is not rendered begins with the earliest file.
    let earliest = TakeAlignerTests.hosts.map(\.offsetNanoseconds).min() ?? 0
    for host in TakeAlignerTests.hosts {
      let offset = try #require(offsets[take.path(host)])
      #expect(abs(offset - Double(host.offsetNanoseconds - earliest) * 1e-9) < 2e-8)
    }
  }

  @Test("Reaper plays a raw file around what it lost, and in its place behind it")
  func repairs() throws {
    let take = SyntheticTake(seconds: 12)
    let loss = SyntheticTake.Loss(frame: 4 * 48_000 + 100, count: 777, silence: 7 * 48_000)
    try take.write(SyntheticTake.Host(label: "a", seconds: 12))
    try take.write(
      SyntheticTake.Host(label: "b", stretchNanoseconds: 20_000, seconds: 12, loss: loss))
    let text = try exported(take, "reaper", name: "scene.rpp")
    let items = text.components(separatedBy: "<ITEM").dropFirst().filter { $0.contains("_b-0000") }
    func value(_ tag: String, _ item: String) -> Double {
      let line = item.split(separator: "\n").first { $0.contains(" \(tag) ") }
      return line.flatMap { Double($0.split(separator: " ")[1]) } ?? .nan
    }
    #expect(items.count == 3)
    // From the loss on, the sound stands 777 frames later; what is silence in the file is left out.
    let starts = [0, 192_100, 336_777].map { Double($0) / 48_000 }
    let second = 1.000_02
    let places = [0, 192_877, 336_777].map { Double($0) / 48_000 * second }
    for (item, (offset, place)) in zip(items, zip(starts, places)) {
      #expect(abs(value("SOFFS", item) - offset) < 1e-9, "\(item)")
      #expect(abs(value("POSITION", item) - place) < 2e-6, "\(item)")
      #expect(abs(value("PLAYRATE", item) - 1 / second) < 1e-7, "\(item)")
    }
    let ends = items.map { value("POSITION", $0) + value("LENGTH", $0) }
    #expect(abs(ends[0] - 192_100 / 48_000.0 * second) < 2e-6)
    #expect(abs(ends[1] - places[2]) < 2e-6, "no gap where nothing is missing")
  }
}
