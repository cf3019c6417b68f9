import AcousticScene
import CaptureEngine
import Glibc
import Recording
import TestFolders
import Testing
import Units

/// Takes that are started before their card is known well enough to cut it.
extension CaptureTests {
  /// The audio that the header of the only file with this ending tells of, in frames.
  private func told(_ workspace: TestFolder, _ ending: String) -> Int? {
    guard let name = workspace.files.first(where: { $0.hasSuffix(ending) }) else { return nil }
    let head = workspace.bytes(of: name).prefix(16_384)
    guard head.count == 16_384 else { return nil }
    return (0..<4).reduce(0) { $0 | Int(head[16_380 + $1]) << (8 * $1) } / 3
  }

  @Test("a take that is started right after arming is on the disk at once, and cut to the frame")
  func draft() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    var card = VirtualCard("hasty")
    card.partsPerMillion = 37.5
    VirtualCard.install([card], in: config)
    let recordist = Recordist(pcm: "hasty", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    let t0 = roundedUp(recordist.now + .milliseconds(300))
    _ = try recordist.engine.start(at: t0)
    var most = 0.0
    for _ in 0..<150 {
      usleep(10_000)
      let elapsed = (recordist.now - t0).inSeconds
      guard elapsed > 0.2, recordist.engine.snapshot.recordedFrames == 0 else { continue }
      let kept = Double(told(workspace, "_000.wav.part") ?? 0) / 48_000
      most = max(most, elapsed - kept)
    }
    #expect(told(workspace, "_000.wav.part").map { $0 > 24_000 } == true, "\(workspace.files)")
    #expect(most < 1.5, "\(most) s were in memory alone")
    #expect(recordist.wait(seconds: 6) { $0.recordedFrames > 0 })
    #expect(
      recordist.wait(seconds: 4) { _ in !workspace.files.contains { $0.contains("_000.") } },
      "\(workspace.files)")
    let t1 = roundedUp(recordist.now + .milliseconds(200))
    try recordist.engine.stop(at: t1)
    #expect(recordist.waitForEnd())
    let sound = try recordist.sound()
    let off = card.secondsOff(sound.firstSecond, expected: truth(recordist, t0))
    #expect(abs(off) < 0.6 / 48_000, "\(off * 48_000) samples off")
    let counted =
      card.crystal.count(at: truth(recordist, t1)) - card.crystal.count(at: truth(recordist, t0))
    #expect(abs(Double(sound.frames) - counted) <= 1)
    #expect(recordist.engine.snapshot.warnings == [])
    guard case .header(let header) = try recordist.entries().first else {
      Issue.record("a log begins with a header")
      return
    }
    #expect(header.segment == 1 && header.t0 == t0)
  }

  @Test("a folder that somebody removes under a take: said at once, and the take goes on in it")
  func removed() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    var card = VirtualCard("lost")
    card.partsPerMillion = -20
    VirtualCard.install([card], in: config)
    let recordist = Recordist(pcm: "lost", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    let t0 = roundedUp(recordist.now)
    _ = try recordist.engine.start(at: t0)
    #expect(recordist.wait(seconds: 6) { $0.recordedFrames > 0 })
    _ = try recordist.engine.mark("clap", at: t0 + .milliseconds(500))
    usleep(300_000)
    _ = ShellCommand.output(of: "rm -rf '\(workspace.path)/out'")
    #expect(recordist.wait(seconds: 3) { !$0.warnings.isEmpty })
    let t1 = roundedUp(recordist.now + .milliseconds(300))
    try recordist.engine.stop(at: t1)
    #expect(recordist.waitForEnd())
    let words = recordist.engine.snapshot.warnings.joined()
    #expect(words.contains("is gone: somebody removed it"), "\(words)")
    #expect(words.hasSuffix("the take goes on in a new file"), "\(words)")
    // The ring still held all of it.
    let sound = try recordist.sound()
    let off = card.secondsOff(sound.firstSecond, expected: truth(recordist, t0))
    #expect(abs(off) < 0.6 / 48_000, "\(off * 48_000) samples off")
    let counted =
      card.crystal.count(at: truth(recordist, t1)) - card.crystal.count(at: truth(recordist, t0))
    #expect(abs(Double(sound.frames) - counted) <= 1)
    let marks = try recordist.entries().compactMap {
      if case .marker(let marker) = $0 { marker.text } else { nil }
    }
    #expect(marks == ["clap"])
    #expect(try recordist.file(".take.json").hasPrefix("out/"))
  }
}
