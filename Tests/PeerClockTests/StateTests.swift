import FoundationEssentials
import PeerClock
import PeerClockTestSupport
import TestLanes
import Testing
import Units

@Suite("The state directory", .live)
struct StateTests {
  /// A folder that is gone after the test.
  final class Folder {
    let path =
      FileManager.default.temporaryDirectory.path
      + "/peerclock-test-\(UInt64.random(in: 0...UInt64.max))"
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  func clock(_ path: String, _ network: MockNetwork = MockNetwork()) -> PeerClock {
    let configuration = PeerClockConfiguration(
      group: .init(name: "state", passphrase: "p"), stateDirectory: path)
    return PeerClock(configuration: configuration, transportFactory: network.transportFactory)
  }

  func json(_ folder: Folder) throws -> String {
    let data = try #require(FileManager.default.contents(atPath: folder.path + "/peerclock.json"))
    return String(decoding: data, as: UTF8.self)
  }

  @Test("a host keeps its id, and its time within one boot, over a restart")
  func restart() async throws {
    let folder = Folder()
    let first = clock(folder.path + "/deep/down")
    try await first.start()
    let (peer, session) = (try #require(first.localPeer), try #require(first.session))
    let map = try #require(first.map)
    try await eventually("the file") {
      FileManager.default.contents(atPath: folder.path + "/deep/down/peerclock.json")
        .map { String(decoding: $0, as: UTF8.self).contains(session.id.description) } ?? false
    }
    await first.finish()

    let second = clock(folder.path + "/deep/down")
    try await second.start()
    #expect(second.localPeer == peer)
    #expect(second.session == session)
    let later = map.hostAnchor + .seconds(5)
    let difference =
      try #require(second.map).shared(at: later).nanoseconds - map.shared(at: later).nanoseconds
    #expect(difference.magnitude < 1_000, "\(difference) ns")
    await second.finish()
  }

  @Test("a second clock on the same folder is refused, and the folder is free after the first")
  func lock() async throws {
    let folder = Folder()
    let first = clock(folder.path)
    try await first.start()
    let second = clock(folder.path)
    await #expect(throws: PeerClockError.stateDirectoryInUse(path: folder.path)) {
      try await second.start()
    }
    await first.finish()
    try await second.start()
    await second.finish()
  }

  @Test("a later version and a damaged file are refused, and left as they are")
  func unreadable() async throws {
    for (text, word) in [("{\"version\": 2}", "version 2"), ("{\"version\": 1", "damaged")] {
      let folder = Folder()
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      let file = folder.path + "/peerclock.json"
      _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
      do {
        try await clock(folder.path).start()
        Issue.record("it started")
      } catch {
        guard case .stateUnreadable(file, let reason) = error else { throw error }
        #expect(reason.contains(word))
      }
      #expect(try json(folder) == text)
    }
  }

  @Test("the file has the words of its schema")
  func schema() async throws {
    let folder = Folder()
    let clock = clock(folder.path)
    try await clock.start()
    try await eventually("the time") { try json(folder).contains("\"time\"") }
    await clock.finish()
    let text = try json(folder)
    for word in [
      "\"version\" : 1", "\"peer\"", "\"incarnation_count\" : 1", "\"boot_id\"",
      "\"suspended_ns\"", "\"session\"", "\"anchor_unix_ns\"", "\"utc_offset_s\"", "\"map\"",
      "\"host_anchor_ns\"", "\"shared_anchor_ns\"", "\"jitter_bound_ns\"",
    ] {
      #expect(text.contains(word), "\(word) is missing in \(text)")
    }
  }
}
