import AcousticScene
import CaptureEngine
import FaultyDisk
import FoundationEssentials
import Glibc
import HostClock
import HostSensors
import Recording
import SoundFile
import TestFolders
import Testing
import Units

/// Disks that misbehave under a take.
extension CaptureTests {
  /// Where frames that lie so far into a file were taken must fit the crystal there as well.
  private func off(_ recordist: Recordist, _ card: VirtualCard, folder: String, second: Int) throws
    -> Double
  {
    let entries = try recordist.entries(in: folder)
    guard case .header(let header) = entries.first else { return .infinity }
    var reader = try SoundFileReader(
      path: recordist.workspace.path + "/" + (try recordist.file(".wav", in: folder)))
    let all = try reader.read(frames: 48_000 * (second + 1))
    let first = TrueInstant(
      nanoseconds: recordist.map.host(at: header.firstShared).nanoseconds)
    let spacing = 1 / (48_000 * (1 + card.partsPerMillion * 1e-6))
    return card.secondsOff(
      Array(all.dropFirst(48_000 * second)),
      expected: first.advanced(bySeconds: Double(48_000 * second) * spacing))
  }

  private func start(_ recordist: Recordist, ago: Duration = .milliseconds(300)) throws
    -> SharedInstant
  {
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(500_000)
    let t0 = roundedUp(recordist.now - ago)
    _ = try recordist.engine.start(at: t0)
    // A young stream is watched for some seconds before it is cut.
    #expect(recordist.wait(seconds: 6) { $0.recordedFrames > 0 })
    return t0
  }

  @Test("a disk that stalls for 9 s costs nothing, and its mirror is not kept waiting")
  func stall() throws {
    guard faulty_disk_works() else { return }
    defer { faulty_disk_heal() }
    // Ten seconds of ring leave a second beside the stall: no room for a real disk's own.
    let (workspace, config) = (TestFolder(isQuick: true), TestFolder())
    var card = VirtualCard("patient")
    card.partsPerMillion = 37.5
    VirtualCard.install([card], in: config)
    let recordist = Recordist(
      pcm: "patient", workspace: workspace, mirror: workspace.path + "/mirror"
    ) { $0 = CaptureInput(name: $0.name, rate: $0.rate, channels: nil, preRoll: .zero) }
    let t0 = try start(recordist)
    faulty_disk_stall(workspace.path + "/out", 60_000)
    #expect(recordist.wait(seconds: 20) { _ in faulty_disk_waits() > 0 })
    let begun = recordist.engine.snapshot.recordedFrames
    // By what waits, not by the clock: a busy machine may have been late before it stalled. What is
    // behind is known half a second late, and the ring holds ten.
    #expect(
      recordist.wait(seconds: 20) { $0.writers.first.map { $0.behindSeconds > 8.5 } ?? false })
    let stalled = recordist.engine.snapshot
    faulty_disk_stall(workspace.path + "/out", 0)
    // The other place goes on, and so do the meters.
    #expect(stalled.state.word == "rolling" && stalled.writers.count == 2)
    #expect(stalled.writers[1].behindSeconds < 4)
    #expect(stalled.recordedFrames - begun < 96_000)
    #expect(stalled.levels?.peak.first != nil && stalled.gaps == 0)
    usleep(1_500_000)
    // Ahead, so that no place has written beyond it: what is there already is never cut.
    let t1 = roundedUp(recordist.now + .milliseconds(300))
    try recordist.engine.stop(at: t1)
    #expect(recordist.waitForEnd())
    let counted =
      card.crystal.count(at: truth(recordist, t1)) - card.crystal.count(at: truth(recordist, t0))
    for folder in ["out", "mirror"] {
      let frames = try recordist.sound(in: folder).frames
      #expect(abs(Double(frames) - counted) <= 1, "\(folder): \(frames), \(counted)")
      for second in [0, 4, 8] {
        let samples = try off(recordist, card, folder: folder, second: second) * 48_000
        #expect(abs(samples) < 0.6, "\(folder), second \(second): \(samples) samples off")
      }
    }
    let ended = recordist.engine.snapshot
    #expect(ended.gaps == 0 && ended.warnings == [])
    #expect(ended.writers[0].mostBehindSeconds > 8.5 && ended.writers[0].mostBehindSeconds < 10)
    #expect(ended.writers[0].slowestWriteMs > 1000)
    #expect(ended.writers[1].slowestWriteMs < ended.writers[0].slowestWriteMs)
    #expect(faulty_disk_waits() > 0)
  }

  @Test("when the first disk fails the mirror has the whole take, and that is said")
  func mirror() throws {
    guard faulty_disk_works() else { return }
    defer { faulty_disk_heal() }
    let (workspace, config) = (TestFolder(isQuick: true), TestFolder())
    let card = VirtualCard("double")
    VirtualCard.install([card], in: config)
    let recordist = Recordist(
      pcm: "double", workspace: workspace, mirror: workspace.path + "/mirror")
    let t0 = try start(recordist)
    faulty_disk_fail(workspace.path + "/out", EIO)
    #expect(recordist.wait(seconds: 3) { $0.writers.first?.failure != nil })
    usleep(700_000)
    // Ahead, so that no place has written beyond it: what is there already is never cut.
    let t1 = roundedUp(recordist.now + .milliseconds(300))
    try recordist.engine.stop(at: t1)
    #expect(recordist.waitForEnd())
    let counted =
      card.crystal.count(at: truth(recordist, t1)) - card.crystal.count(at: truth(recordist, t0))
    #expect(abs(Double(try recordist.sound(in: "mirror").frames) - counted) <= 1)
    #expect(abs(try off(recordist, card, folder: "mirror", second: 1) * 48_000) < 0.6)
    let snapshot = recordist.engine.snapshot
    #expect(snapshot.state.word == "armed")
    #expect(snapshot.folder?.contains("/mirror/") == true)
    #expect(snapshot.writers[0].failure?.hasPrefix("cannot write to") == true)
    #expect(snapshot.writers[1].failure == nil)
    #expect(
      snapshot.warnings.filter { $0.contains("the take goes on in the other folder") }.count == 1)
    // What the failed disk has is left for recovery, under its unfinished name.
    #expect(workspace.files.contains { $0.hasPrefix("out/") && $0.hasSuffix(".wav.part") })
  }

  @Test("when the only disk fails the take ends, loudly, and the host stays armed")
  func failure() throws {
    guard faulty_disk_works() else { return }
    defer { faulty_disk_heal() }
    let (workspace, config) = (TestFolder(), TestFolder())
    VirtualCard.install([VirtualCard("single")], in: config)
    let recordist = Recordist(pcm: "single", workspace: workspace)
    _ = try start(recordist)
    faulty_disk_fail(workspace.path + "/out", EROFS)
    #expect(recordist.wait(seconds: 3) { $0.state.word == "armed" })
    #expect(recordist.events.contains(.failed(Recordist.plan(1))))
    #expect(
      recordist.engine.snapshot.warnings.contains {
        $0.contains("has stopped") && !$0.contains("goes on")
      })
  }

  @Test("a disk that is nearly full gets a closed, whole file while there is room for that")
  func nearlyFull() throws {
    guard faulty_disk_works() else { return }
    defer { faulty_disk_heal() }
    let (workspace, config) = (TestFolder(), TestFolder())
    VirtualCard.install([VirtualCard("full")], in: config)
    let recordist = Recordist(pcm: "full", workspace: workspace)
    _ = try start(recordist)
    // The floor of 64 MB itself is still enough.
    faulty_disk_say_free(workspace.path + "/out", 64_000_000 + 4096)
    usleep(1_300_000)
    #expect(recordist.engine.snapshot.state.word == "rolling")
    faulty_disk_say_free(workspace.path + "/out", 63_000_000)
    #expect(recordist.wait(seconds: 3) { $0.state.word == "armed" })
    #expect(recordist.events.contains(.failed(Recordist.plan(1))))
    #expect(
      recordist.engine.snapshot.warnings.contains {
        $0.contains("has only 6") && $0.contains("the take was closed")
      })
    let sound = try recordist.sound(in: "out")
    guard case .summary(let summary) = try recordist.entries(in: "out").last else {
      Issue.record("a log ends with a summary")
      return
    }
    #expect(!summary.isComplete && summary.frames == sound.frames && sound.frames > 48_000)
    #expect(workspace.files.filter { $0.hasSuffix(".part") } == [])
    // A disk without room for a minute of a take is not armed for.
    #expect(throws: CaptureError.self) { try recordist.engine.arm(Recordist.plan(2)) }
  }

  @Test("a ring that would take more than half of the free memory is refused with the figures")
  func memory() throws {
    let (workspace, config, root) = (TestFolder(), TestFolder(), TestFolder())
    VirtualCard.install([VirtualCard("card")], in: config)
    // 15 s of 48 kHz at four bytes are 2 880 000 bytes.
    for (kilobytes, fits) in [(5625, true), (5624, false)] {
      root.makeFolder("proc")
      root.write(
        Array("MemFree: 1 kB\nMemAvailable:    \(kilobytes) kB\n".utf8), to: "proc/meminfo")
      let recordist = Recordist(
        pcm: "card", workspace: workspace, sensors: HostSensors(root: root.path))
      if fits {
        let armed = try recordist.engine.arm(Recordist.plan(1))
        #expect(armed.ringBytes == 2_880_000)
        #expect(recordist.engine.snapshot.ringBytes == 2_880_000)
      } else {
        let free = Int64(kilobytes) * 1024
        #expect(throws: CaptureError.memory(ringBytes: 2_880_000, freeBytes: free)) {
          try recordist.engine.arm(Recordist.plan(1))
        }
      }
    }
  }
}
