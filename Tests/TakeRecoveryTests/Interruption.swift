import FoundationEssentials
import Glibc
import Recording
import TestFolders
import Units

@testable import BroadcastWave
@testable import CaptureEngine

/// A folder with a take that the recorder's own writers began and never closed.
final class Interruption {
  static let peer = PeerID(high: 0xAB12_0000_0000_0000, low: 1)
  static let session = Session(
    id: SessionID(high: 5, low: 1), anchorUnixNanoseconds: 1_790_000_000_000_000_000,
    anchorErrorNanoseconds: 0, utcOffsetSeconds: 7200)
  static let stem = "scene-T07_mic-ab12_001"
  static let audioOffset = 16_384

  private let place = TestFolder()
  var folder: String { place.path }
  let format: WaveFormat
  /// The audio that was written.
  private(set) var audio: [UInt8] = []
  private var sound: SoundWriter?
  private var log: TimingLogWriter?

  /// Writes `chunks` tenths of a second of noise, the header kept true now and then.
  init(
    seed: UInt64, chunks: Int = 10, channels: Int = 1, encoding: SampleEncoding = .integer(bits: 24)
  ) throws {
    format = WaveFormat(
      sampleRate: SampleRate(hertz: 8000), channels: channels, encoding: encoding)
    var generator = SeededGenerator(seed: seed)
    let begins = SharedInstant.sessionStart + .seconds(100)
    let description = FileDescription(
      plan: TakePlan(id: TakeID(high: 1, low: 2), name: "scene", number: 7),
      host: CaptureHost(peer: Self.peer, label: "mic", software: "recorder test", bootID: "boot"),
      session: Self.session, format: format, begins: begins, fileName: Self.stem + ".wav")
    let sound = try SoundWriter(path: path(".wav"), description: description)
    let log = try TimingLogWriter(path: path(".timing.jsonl"))
    try log.write(.header(description.logHeader(t0: begins, firstShared: begins)))
    for chunk in 0..<chunks {
      // Small values: no noise that is no number where samples are floats.
      let bytes = (0..<800 * format.bytesPerFrame).map { _ in
        UInt8.random(in: 0...60, using: &generator)
      }
      audio += bytes
      try sound.append(bytes)
      let shared = begins + .milliseconds(100 * chunk)
      try log.write(
        .clock(
          TimingLogClock(
            frame: Int64(800 * chunk), host: HostInstant(nanoseconds: 0), shared: shared,
            jitterBoundNanoseconds: 900, pathLimitNanoseconds: 9000, cardBoundNanoseconds: 90,
            cardPPM: 0, skewPPM: 0, generation: 1)))
      if Bool.random(using: &generator) { try sound.keepTrue() }
    }
    self.sound = sound
    self.log = log
  }

  func path(_ ending: String) -> String { "\(folder)/\(Self.stem)\(ending)" }

  /// The writer is gone, as by a signal.
  func kill() {
    sound = nil
    log = nil
  }

  /// Another line of the log.
  func log(_ entry: TimingLogEntry) throws { try log?.write(entry) }

  /// The header tells of all audio.
  func keepTrue() throws { try sound?.keepTrue() }

  /// The sound is closed, and the log is not.
  func closeSound(cues: [CuePoint]) throws { try sound?.finish(cues: cues) }

  /// Cuts a file to `length` bytes.
  func cut(_ ending: String, to length: Int) { truncate(path(ending), off_t(length)) }

  func length(_ ending: String) throws -> Int { try bytes(path(ending)).count }

  func overwrite(_ ending: String, at offset: Int, _ bytes: [UInt8]) {
    let descriptor = open(path(ending), O_WRONLY)
    _ = pwrite(descriptor, bytes, bytes.count, off_t(offset))
    close(descriptor)
  }

  /// All files of the folder with what is in them.
  func contents() throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in TestFolder.names(in: folder) ?? [] where !name.hasPrefix(".") {
      found[name] = try bytes("\(folder)/\(name)")
    }
    return found
  }

  /// The log's entries.
  func entries() throws -> [TimingLogEntry] {
    try bytes(path(".timing.jsonl")).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(TimingLogEntry.self, from: Data($0))
    }
  }

  func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}
