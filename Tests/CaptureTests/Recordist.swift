import FaultyDisk
import FoundationEssentials
import Glibc
import HostClock
import HostSensors
import Recording
import SoundFile
import Synchronization
import TestFolders
import Testing
import Units

@testable import CaptureEngine

/// One engine on one card, and all that came of it.
final class Recordist: Sendable {
  static let session = Session(
    id: SessionID(high: 0x5E55_0000_0000_0000, low: 1),
    anchorUnixNanoseconds: 1_790_000_000_000_000_000, anchorErrorNanoseconds: 1_000_000,
    utcOffsetSeconds: 7200)

  let engine: CaptureEngine
  let workspace: TestFolder
  let map: ClockMap
  private let seen: Events

  private final class Events: Sendable {
    let all = Mutex<[CaptureEngine.Event]>([])
  }

  /// - Parameter skew: by how much shared time is fast against the host's clock, in ppm.
  init(
    pcm: String, workspace: TestFolder, output: String? = nil, label: String = "mic",
    mirror: String? = nil, rate: Int = 48_000, channels: ChannelSelection? = nil,
    skew: Double = 20, isSynced: Bool = true, leastRoom: Duration = .seconds(1),
    settings: FileSettings = FileSettings(), sensors: HostSensors = HostSensors(),
    adjust: (inout CaptureInput) -> Void = { _ in }
  ) {
    self.workspace = workspace
    let map = ClockMap(
      session: Self.session.id, generation: 3, hostAnchor: HostClock().now(),
      sharedAnchor: SharedInstant(nanoseconds: 90_000_000_000_000),
      skew: ClockRate(partsPerMillion: skew), jitterBoundNanoseconds: 3000,
      pathLimitNanoseconds: 20_000, boundGrowth: .zero)
    self.map = map
    let events = Events()
    seen = events
    var input = CaptureInput(
      name: pcm, rate: SampleRate(hertz: rate), channels: channels, preRoll: .seconds(5),
      leastRoom: leastRoom)
    adjust(&input)
    engine = CaptureEngine(
      input: input, output: output ?? workspace.path + "/out", mirror: mirror,
      host: CaptureHost(
        peer: PeerID(high: 0xAB12_0000_0000_0000, low: UInt64(label.utf8.count)), label: label,
        software: "recorder test", bootID: "boot"),
      settings: settings, sensors: sensors,
      clockMap: { isSynced ? map : nil }, session: { Self.session },
      events: { event in events.all.withLock { $0.append(event) } })
  }

  deinit { engine.shutDown() }

  var events: [CaptureEngine.Event] { seen.all.withLock { $0 } }

  var now: SharedInstant { map.shared(at: HostClock().now()) }

  static func plan(_ number: Int) -> TakePlan {
    TakePlan(id: TakeID(high: UInt64(number) << 48, low: 7), name: "test", number: number)
  }

  /// Looks until `condition` holds; false after `seconds`.
  func wait(seconds: Double, until condition: (CaptureSnapshot) -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 200) {
      if condition(engine.snapshot) { return true }
      usleep(5000)
    }
    return condition(engine.snapshot)
  }

  /// Waits until the take has been closed, under a sanitizer for long.
  func waitForEnd(seconds: Double = faulty_disk_works() ? 12 : 60) -> Bool {
    wait(seconds: seconds) { _ in
      events.contains { if case .ended = $0 { true } else { false } }
    }
  }

  /// The only file below the output folder whose name ends in `suffix`.
  func file(_ suffix: String, in folder: String = "out") throws -> String {
    let found = workspace.files.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(suffix) }
    #expect(found.count == 1, "\(found)")
    return try #require(found.first)
  }

  /// A file of a take with its log's lines, whose frames count from the take's first.
  struct Part {
    let path: String
    let entries: [TimingLogEntry]

    var gaps: [TimingLogGap] {
      entries.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }
  }

  /// The take's files in their order.
  func parts() throws -> [Part] {
    var first: Int64 = 0
    let sounds = workspace.files.filter { $0.hasPrefix("out/") && $0.hasSuffix(".wav") }
    return try sounds.map { sound in
      let log = workspace.text(of: sound.replacing(".wav", with: ".timing.jsonl"))
      let entries = try log.split(separator: "\n").map {
        try JSONDecoder().decode(TimingLogEntry.self, from: Data($0.utf8)).moved(by: first)
      }
      let path = workspace.path + "/" + sound
      first += try SoundFileReader(path: path).frames.value
      return Part(path: path, entries: entries)
    }
  }

  /// The timing log's lines.
  func entries(in folder: String = "out") throws -> [TimingLogEntry] {
    try workspace.text(of: try file(".timing.jsonl", in: folder)).split(separator: "\n").map {
      try JSONDecoder().decode(TimingLogEntry.self, from: Data($0.utf8))
    }
  }

  /// The first second of the file's first channel, and how many frames there are in all.
  func sound(in folder: String = "out") throws -> (
    firstSecond: [Double], frames: Int64, channels: Int, bits: Int?
  ) {
    var reader = try SoundFileReader(path: workspace.path + "/" + (try file(".wav", in: folder)))
    let (frames, channels, bits) = (reader.frames.value, reader.channels, reader.bits)
    let all = try reader.read(frames: 48_000)
    let first = stride(from: 0, to: all.count, by: channels).map { all[$0] }
    return (first, frames, channels, bits)
  }
}
