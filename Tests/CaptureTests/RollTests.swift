import AcousticScene
import CaptureEngine
import Glibc
import Recording
import TestFolders
import Testing
import Units

/// Pre-roll, post-roll, ends that are known before, and channels that are chosen.
extension CaptureTests {
  @Test("a kept pre-roll and a post-roll lie around T0 and T1, which are marked to the frame")
  func rolls() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    var card = VirtualCard("roomy")
    card.partsPerMillion = -62.25
    card.channels = 4
    VirtualCard.install([card], in: config)
    let recordist = Recordist(
      pcm: "roomy", workspace: workspace, channels: .these([3, 1])
    ) {
      $0 = CaptureInput(
        name: $0.name, rate: $0.rate, channels: $0.channels, preRoll: .seconds(1),
        leastRoom: .seconds(1))
      $0.keepsPreRoll = true
      $0.postRoll = .milliseconds(500)
      $0.tracks = [Track(channel: 3, name: "Boom & <1>")]
    }
    let armed = try recordist.engine.arm(Recordist.plan(1))
    #expect(armed.input.channels == 2 && armed.input.description.contains("2 of 4ch"))
    usleep(1_300_000)
    let t0 = roundedUp(recordist.now + .milliseconds(100))
    let t1 = t0 + .milliseconds(900)
    _ = try recordist.engine.start(at: t0)
    // The end is known before the beginning has come.
    try recordist.engine.stop(at: t1)
    #expect(recordist.engine.snapshot.state == .scheduled(Recordist.plan(1), t0: t0, t1: t1))
    #expect(recordist.waitForEnd())
    let sound = try recordist.sound()
    let spacing = 1 / (48_000 * (1 - 62.25e-6))
    #expect(sound.channels == 2 && abs(Double(sound.frames) - 2.4 / spacing) <= 5)
    guard case .header(let header) = try recordist.entries().first else {
      Issue.record("a log begins with a header")
      return
    }
    #expect(header.t0 == t0)
    #expect(abs((header.firstShared - t0).inSeconds + 1) < 1e-4)
    let off = card.secondsOff(sound.firstSecond, expected: truth(recordist, t0 - .seconds(1)))
    #expect(abs(off) < 1.0 / 48_000)
    let marks = try recordist.entries().compactMap {
      if case .marker(let mark) = $0 { mark } else { nil }
    }
    let (zero, one) = (marks.first { $0.text == "T0" }, marks.first { $0.text == "T1" })
    #expect(abs(Double(try #require(zero).frame) - 1 / spacing) <= 5)
    #expect(
      abs(Double(try #require(one).frame - (try #require(zero).frame)) - 0.9 / spacing) <= 2)
    let text = String(
      decoding: workspace.bytes(of: try recordist.file(".wav")).prefix(32_768).filter { $0 < 128 },
      as: UTF8.self)
    #expect(text.contains("<NAME>Boom &amp; &lt;1&gt;</NAME>"))
    #expect(text.contains("<CHANNEL_INDEX>3</CHANNEL_INDEX>"))
    #expect(text.contains("<NAME>mic 1</NAME>"))
  }

  @Test("a take begins in the past as far as the ring reaches, and not before")
  func past() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    let card = VirtualCard("past")
    VirtualCard.install([card], in: config)
    let recordist = Recordist(pcm: "past", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(3_200_000)
    let t0 = roundedUp(recordist.now - .seconds(3))
    let report = try recordist.engine.start(at: t0)
    #expect(report.isCovered && (report.late ?? .zero) > .milliseconds(2980))
    // Ahead still, since a stop that is heard late keeps more.
    let t1 = t0 + .milliseconds(3600)
    try recordist.engine.stop(at: t1)
    #expect(recordist.waitForEnd())
    let sound = try recordist.sound()
    #expect(abs(sound.frames - 172_797) <= 2)
    #expect(abs(card.secondsOff(sound.firstSecond, expected: truth(recordist, t0))) < 1.0 / 48_000)
    #expect(recordist.engine.snapshot.headMissing == nil)
  }

  @Test("a stop that is heard late keeps everything and marks T1")
  func lateStop() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    VirtualCard.install([VirtualCard("late")], in: config)
    let recordist = Recordist(pcm: "late", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(400_000)
    let t0 = roundedUp(recordist.now - .milliseconds(300))
    _ = try recordist.engine.start(at: t0)
    #expect(recordist.wait(seconds: 6) { $0.recordedFrames > 96_000 })
    usleep(300_000)
    try recordist.engine.stop(at: t0 + .seconds(1))
    #expect(recordist.waitForEnd())
    let frames = try recordist.sound().frames
    #expect(frames > 96_000)
    let entries = try recordist.entries()
    let mark = entries.compactMap {
      if case .marker(let mark) = $0, mark.text.hasPrefix("T1: the stop was heard late") {
        mark.frame
      } else {
        nil
      }
    }
    #expect(mark.count == 1 && abs((mark.first ?? 0) - 47_999) <= 2)
    guard case .summary(let summary) = entries.last else {
      Issue.record("a log ends with a summary")
      return
    }
    #expect(summary.frames == frames && summary.t1 == t0 + .seconds(1))
  }

  @Test("arming again takes the new plan, counts anew, and keeps the ring")
  func rearm() throws {
    let (workspace, config) = (TestFolder(), TestFolder())
    VirtualCard.install([VirtualCard("again")], in: config)
    let recordist = Recordist(pcm: "again", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(600_000)
    _ = try recordist.engine.arm(Recordist.plan(2))
    #expect(recordist.engine.snapshot.state == .armed(Recordist.plan(2)))
    // The ring was not begun anew: half a second ago is still there.
    #expect(try recordist.engine.start(at: roundedUp(recordist.now - .milliseconds(500))).isCovered)
  }
}
