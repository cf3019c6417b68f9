import CLinux
import Glibc
import HostClock
import TestFolders
import Testing
import Units

/// A process that records one take through the product's engine, on a disk that can be made
/// faulty, in a folder of its own that is gone with this value.
final class Probe {
  struct Job {
    /// As `FAULTY_DISK_FAULT` wants it; empty: none.
    var fault = ""
    var milliseconds = 3000
    /// When it is killed, from its start.
    var killAfterMilliseconds: Int?
    var options: [String] = []
  }

  let job: Job
  private let place = TestFolder()
  var folder: String { place.path }
  private(set) var pid: Int32 = 0
  /// As a shell has it: 137 where it was killed.
  private(set) var exitCode: Int32?
  private let started: Int64
  /// When it was killed from outside, by the host's clock.
  private(set) var killedAt: Int64?

  var output: String { folder + "/out" }
  var logPath: String { folder + "/disk.log" }
  var words: String { Files.text(folder + "/words") }

  init(_ job: Job) {
    self.job = job
    started = HostClock().now().nanoseconds
    mkdir(folder + "/out", 0o755)
    Files.write(Self.scene, to: folder + "/scene.f32")
    Files.write(Array(card.utf8), to: folder + "/asoundrc")
    start()
  }

  /// What the card hears: a sample tells by its value which it is of 1021.
  static let period = 1021
  private static let scene: [UInt8] = (0..<period * 48).flatMap { place -> [UInt8] in
    let value = Float((Double(place * 37 % period) - 510.5) / 1024)
    return (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }

  private var card: String {
    """
    pcm_type.recorder_virtual { lib "\(Files.beside)/libCVirtualCard.so" }
    pcm.microphone {
      type recorder_virtual
      scene "\(folder)/scene.f32"
      origin_ns \(started - 3_000_000_000)
      channels 2
    }

    """
  }

  private func start() {
    let arguments =
      [Files.beside + "/TakeProbe", "microphone", output, String(job.milliseconds)] + job.options
    var environment = [
      "LD_PRELOAD=\(Files.beside)/libCFaultyDisk.so", "ALSA_CONFIG_PATH=\(folder)/asoundrc",
      "FAULTY_DISK_FOLDER=\(output)", "FAULTY_DISK_LOG=\(logPath)", "SWIFT_BACKTRACE=enable=no",
      "PATH=/usr/bin:/bin",
    ]
    if !job.fault.isEmpty { environment.append("FAULTY_DISK_FAULT=\(job.fault)") }
    let words = open(folder + "/words", O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o644)
    defer { close(words) }
    let list = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in list + variables { free(text) } }
    pid = list.withUnsafeBufferPointer { list in
      variables.withUnsafeBufferPointer { variables in
        var spawn = linux_spawn(
          path: list[0], arguments: list.baseAddress, environment: variables.baseAddress,
          input: -1, output: words, error: words)
        return linux_start_process(&spawn)
      }
    }
    #expect(pid > 0, "\(arguments[0]) starts")
  }

  /// For how long the take had gone on when it was killed from outside, in seconds; nothing where it
  /// had not begun, or ended before.
  var secondsRecorded: Double? {
    guard let killedAt, exitCode == 137, !words.contains("ended"),
      let line = words.split(separator: "\n").first(where: { $0.hasPrefix("t0 ") }),
      let t0 = Int64(line.dropFirst(3))
    else { return nil }
    let last = t0 + Int64(job.milliseconds) * 1_000_000
    return Double(min(killedAt, last) - t0) * 1e-9
  }

  /// Whether it has ended; kills it where its time has come, or where it takes far too long.
  func hasEnded() -> Bool {
    guard pid > 0, exitCode == nil else { return true }
    let age = (HostClock().now().nanoseconds - started) / 1_000_000
    if age > job.killAfterMilliseconds ?? .max || age > 60_000 {
      killedAt = killedAt ?? HostClock().now().nanoseconds
      kill(pid, SIGKILL)
    }
    var status: Int32 = 0
    guard linux_reap(pid, false, &status) == pid else { return false }
    exitCode = linux_exit_code(status)
    return true
  }

  /// Runs `jobs`, so many at a time, and gives each that has ended to `judge`.
  static func run(_ jobs: [Job], parallel: Int, judge: (Probe) throws -> Void) rethrows {
    var waiting = jobs[...]
    var running: [Probe] = []
    while !waiting.isEmpty || !running.isEmpty {
      while running.count < parallel, let job = waiting.popFirst() { running.append(Probe(job)) }
      let ended = running.filter { $0.hasEnded() }
      running.removeAll { probe in ended.contains { $0 === probe } }
      for probe in ended { try judge(probe) }
      usleep(10_000)
    }
  }
}
