import Control
import FileIO
import Glibc
import Recording
import Synchronization
import TestFolders
import TestLanes
import Testing
import Units

@testable import RecorderDaemon

@Suite("What daemons keep, and tell each other of files", .computing)
struct DaemonFileTests {
  private func event(_ text: String) -> FleetEvent {
    FleetEvent(
      .noted, Alert(.take, severity: .info, text: text), peer: PeerID(high: 1, low: 0),
      label: "a", unixNs: 5)
  }

  @Test("events outlive the daemon, damage costs a line, and the file does not grow without end")
  func events() async throws {
    let place = TestFolder()
    let line = SideLine(name: "test")
    let file = EventFile(directory: place.path, line: line)
    let nothing = file.load()
    #expect(nothing.isEmpty)
    var book = EventBook()
    for number in 1...3 {
      let added = book.add(event("number \(number)"))
      let kept = try #require(added)
      file.append(kept, of: book)
    }
    #expect(await line.value(within: .seconds(10)) { true } == true)
    try FileIO.write(
      place.path + "/events.jsonl",
      FileIO.contents(of: place.path + "/events.jsonl", limit: 1 << 20) + Array("{\"torn".utf8))
    let next = EventFile(directory: place.path, line: line)
    let loaded = next.load()
    #expect(loaded.map(\.alert.text) == ["number 1", "number 2", "number 3"])
    var long = EventBook(loaded)
    for number in 4...2 * EventBook.most + 20 {
      let added = long.add(event("number \(number)"))
      let kept = try #require(added)
      next.append(kept, of: long)
    }
    #expect(await line.value(within: .seconds(10)) { true } == true)
    let last = EventFile(directory: place.path, line: line)
    let kept = last.load()
    #expect(kept.count <= 2 * EventBook.most && kept.count >= EventBook.most)
    #expect(kept.last?.number == UInt64(2 * EventBook.most + 20))
  }

  @Test("while a disk hangs events wait, of too many the newest, and are written when it is back")
  func waiting() async throws {
    let place = TestFolder()
    let line = SideLine(name: "test")
    let file = EventFile(directory: place.path, line: line)
    let hang = Mutex(true)
    line.add { while hang.withLock({ $0 }) { usleep(1000) } }
    var book = EventBook()
    for number in 1...EventBook.most + 1 {
      let added = book.add(event("number \(number)"))
      file.append(try #require(added), of: book)
    }
    #expect(EventFile(directory: place.path, line: line).load().isEmpty)
    hang.withLock { $0 = false }
    #expect(await line.value(within: .seconds(10)) { true } == true)
    let kept = EventFile(directory: place.path, line: line).load()
    #expect(kept.map(\.number) == Array(2...UInt64(EventBook.most + 1)))
  }

  @Test("what a crash leaves is found, and nothing after a quiet end or a torn file")
  func run() throws {
    let place = TestFolder()
    #expect(RunFile.left(in: place.path) == nil)
    var run = RunFile(bootID: "b")
    run.take = .init(
      plan: TakePlan(id: TakeID(high: 1, low: 2), name: "x", number: 7),
      session: SessionID(high: 3, low: 4), t0: SharedInstant(nanoseconds: 50))
    run.save(in: place.path)
    #expect(RunFile.left(in: place.path) == run)
    try FileIO.write(place.path + "/run.json", Array("{".utf8))
    #expect(RunFile.left(in: place.path) == nil)
    RunFile.remove(from: place.path)
    #expect(access(place.path + "/run.json", F_OK) != 0)
  }

  @Test("a label's history holds the newest names, each once, the present one apart")
  func labels() throws {
    let place = TestFolder()
    var file = LabelFile.load(from: place.path)
    let news = [("a", 1), ("a", 2), ("b", 3), ("a", 4)].map { file.note($0.0, at: $0.1) }
    #expect(news == [true, false, true, true])
    #expect(file.former(than: "a") == ["b"])
    try file.save(in: place.path)
    #expect(LabelFile.load(from: place.path) == file)
    for number in 0..<LabelFile.most + 1 { _ = file.note("n\(number)", at: 5) }
    #expect(file.history.count == LabelFile.most)
    #expect(file.history.first?.label == "n1")
  }

  @Test("pieces keep their number and bytes; what is no piece is none")
  func pieces() throws {
    let bytes = [UInt8](repeating: 9, count: FileFetch.longestPiece)
    let number = UInt64.max - 1
    let message = FilePiece.bytes(bytes).encoded(number: number)
    // A command carries 60 KiB.
    #expect(message.count <= 60 << 10)
    let decoded = try #require(FilePiece.decoded(message))
    #expect(decoded.number == number)
    guard case .bytes(bytes) = decoded.piece else {
      Issue.record("other bytes came back")
      return
    }
    let failure = FilePiece.failure(String(repeating: "x", count: 9999)).encoded(number: 1)
    #expect(failure.count == 9 + 512)
    guard case .failure(let reason) = try #require(FilePiece.decoded(failure)).piece else {
      Issue.record("a failure came back as bytes")
      return
    }
    #expect(reason.count == 512)
    #expect(FilePiece.decoded([]) == nil && FilePiece.decoded([0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(FilePiece.decoded([0, 0, 0, 0, 0, 0, 0, 1, 2]) == nil)
    #expect(FilePiece.decoded([0, 0, 0, 0, 0, 0, 0, 1, 0])?.number == 1)
  }

  @Test("a figure that is no number ends no daemon, and comes back")
  func noNumbers() throws {
    var answer = HostAnswer(
      peer: PeerID(high: 1, low: 2), label: "a", outcome: .done, state: "armed")
    answer.firstSample = nil
    var sync = HostReport.Sync(role: .follower)
    sync.boundNs = 1
    var report = HostReport(
      peer: answer.peer, label: "a", software: "b", state: "armed", sync: sync)
    for figure in [Double.nan, .infinity, -.infinity] {
      report.cardPpm = figure
      let bytes = FleetCoding.encode(report)
      let again = try #require(FleetCoding.decode(HostReport.self, from: bytes))
      #expect(again.cardPpm?.isFinite == false, "\(figure)")
    }
  }

  @Test("no name leads out of a folder")
  func names() {
    for name in ["a.wav", "Søren.wav", String(repeating: "x", count: 255)] {
      #expect(TakeFiles.isPlain(name), "\(name)")
    }
    for name in [
      "", ".", "..", ".hidden", "a/b", "/etc/passwd", "a\0b", "a\nb",
      String(repeating: "x", count: 256),
    ] {
      #expect(!TakeFiles.isPlain(name), "\(name.prefix(20))")
    }
  }

  @Test("a pull goes on with whole pieces, and replaces nothing")
  func place() throws {
    let folder = TestFolder()
    let piece = Int64(FileFetch.longestPiece)
    let target = PullPlace(path: folder.path + "/piece", bytes: 3 * piece)
    #expect(target.left == 0)
    for (size, left) in [(piece - 1, 0), (piece, piece), (2 * piece + 5, 2 * piece)] {
      try FileIO.write(target.draft, [UInt8](repeating: 1, count: Int(size)))
      #expect(target.left == left)
    }
    try FileIO.write(target.draft, [UInt8](repeating: 1, count: Int(3 * piece)))
    #expect(target.left == 3 * piece)
    try FileIO.write(target.draft, [UInt8](repeating: 1, count: Int(3 * piece + 1)))
    #expect(target.left == 0)
    target.forget()
    #expect(TakeFiles.size(of: target.draft) == 0)
    try FileIO.write(target.path, [1])
    #expect(throws: SystemFailure.self) { try target.finish() }
    unlink(target.path)
    try target.finish()
    #expect(TakeFiles.size(of: target.path) == 0)
  }

  @Test("nobody waits for a host that was lost since it was asked, unless it is heard again")
  func rollCall() async {
    let peers = (1...3).map { PeerID(high: UInt64($0), low: 0) }
    let answer = { (peer: PeerID) in
      HostAnswer(peer: peer, label: "x", outcome: .done, state: "armed")
    }
    var roll = RollCall(peers: Set(peers))
    roll.take(answer(peers[0]), from: peers[0])
    roll.lose(peers[1])
    #expect(!roll.isComplete)
    roll.hear(peers[1])
    roll.take(answer(peers[2]), from: peers[2])
    #expect(!roll.isComplete)
    roll.lose(peers[1])
    #expect(roll.isComplete)
    // One who comes late counts all the same; a stranger's loss changes nothing.
    roll.take(answer(peers[1]), from: peers[1])
    roll.lose(PeerID(high: 9, low: 0))
    #expect(roll.isComplete && roll.answers.count == 3)
  }

  @Test("who must take part: all, a number from 1, or names")
  func requirement() {
    #expect(HostRequirement("all") == .all)
    #expect(HostRequirement("1") == .count(1))
    #expect(HostRequirement("256") == .count(256))
    #expect(HostRequirement("a,b") == .named(["a", "b"]))
    #expect(HostRequirement("a, b c") == .named(["a", "b c"]))
    for text in ["", ",", "0", "-1", "257"] { #expect(HostRequirement(text) == nil, "\(text)") }
  }
}
