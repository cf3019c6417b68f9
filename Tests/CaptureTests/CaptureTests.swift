import AcousticScene
import CaptureEngine
import Glibc
import HostClock
import Recording
import TestFolders
import TestLanes
import Testing
import Units

/// Everything that opens a sound card, one after the other: ALSA's configuration is one a process.
@Suite("Capture", .computing, .serialized)
struct CaptureTests {
  /// Cards of unlike crystals, formats and commands: two seconds of a take on each.
  @Test("takes begin and end at the frames nearest to T0 and T1, however late they are told")
  func takes() throws {
    let spaces = (0..<3).map { _ in TestFolder() }
    let config = TestFolder()
    var cards = [VirtualCard("one"), VirtualCard("two"), VirtualCard("three")]
    cards[0].partsPerMillion = 37.5
    cards[1].partsPerMillion = -62.25
    cards[1].format = "S24_3LE"
    cards[1].channels = 2
    cards[1].delayNanoseconds = 2_915_452
    cards[2].format = "S16_LE"
    VirtualCard.install(cards, in: config)
    let skews = [20.0, -35, 0]
    let recordists = cards.indices.map {
      Recordist(pcm: cards[$0].name, workspace: spaces[$0], skew: skews[$0])
    }
    for (number, recordist) in recordists.enumerated() {
      let report = try recordist.engine.arm(Recordist.plan(number + 1))
      #expect(report.input.channels == cards[number].channels)
      #expect(report.ringBytes > 0)
      #expect(recordist.engine.snapshot.state.word == "armed")
    }
    usleep(300_000)
    // One is told in time, right after arming; the others later, when T0 has long passed.
    let t0 = recordists.map { roundedUp($0.now + .milliseconds(500)) }
    let inTime = try recordists[0].engine.start(at: t0[0])
    #expect(inTime.late == nil && inTime.isCovered)
    #expect(recordists[0].wait(seconds: 2) { $0.state.word == "rolling" })
    usleep(700_000)
    for place in [1, 2] {
      let late = try recordists[place].engine.start(at: t0[place])
      #expect(try #require(late.late) > .milliseconds(600))
      #expect(late.isCovered)
    }
    let ends = t0.map { $0 + .seconds(2) }
    for (place, recordist) in recordists.enumerated() { try recordist.engine.stop(at: ends[place]) }
    for (place, recordist) in recordists.enumerated() {
      #expect(recordist.waitForEnd(), "\(recordist.engine.snapshot)")
      try judge(recordist, card: cards[place], t0: t0[place], t1: ends[place])
      try recordist.engine.disarm()
      #expect(recordist.engine.snapshot.state == .idle)
      #expect(recordist.engine.snapshot.input == nil)
    }
  }

  /// T0 lies on whole 10 ms of shared time.
  func roundedUp(_ instant: SharedInstant) -> SharedInstant {
    SharedInstant(nanoseconds: (instant.nanoseconds / 10_000_000 + 1) * 10_000_000)
  }

  func truth(_ recordist: Recordist, _ instant: SharedInstant) -> TrueInstant {
    TrueInstant(nanoseconds: recordist.map.host(at: instant).nanoseconds)
  }

  private func judge(
    _ recordist: Recordist, card: VirtualCard, t0: SharedInstant, t1: SharedInstant
  ) throws {
    let sound = try recordist.sound()
    #expect(sound.bits == 24 && sound.channels == card.channels)
    // Half a frame by rounding; the rest is what a second or two of a stream leave open.
    let off = card.secondsOff(sound.firstSecond, expected: truth(recordist, t0))
    #expect(abs(off) < 1.0 / 48_000, "\(card.name): \(off * 48_000) samples off")
    let counted =
      card.crystal.count(at: truth(recordist, t1)) - card.crystal.count(at: truth(recordist, t0))
    #expect(abs(Double(sound.frames) - counted) <= 1, "\(card.name)")
    let snapshot = recordist.engine.snapshot
    #expect(snapshot.state.word == "armed")
    #expect(snapshot.recordedFrames == sound.frames)
    #expect(snapshot.gaps == 0 && snapshot.warnings == [])
    let first = try #require(snapshot.firstSample)
    #expect(abs(first.sharedNs - t0.nanoseconds) <= 10_417)
    #expect(first.boundNs > 23_000 && first.boundNs < 60_000)
    let levels = try #require(snapshot.levels)
    // Two tones of 0.4 beat three times a second: a tenth of it has 0.36 to 0.8 as its peak, and
    // 0.15 to 0.57 as its power's root.
    #expect(levels.peak.count == card.channels)
    let (peak, rms) = (try #require(levels.peak[0]), try #require(levels.rms[0]))
    #expect(peak > -12 && peak < -1.8)
    #expect(rms > -20 && rms < -4.8)
    #expect(snapshot.clipped == 0)
    try judgeLog(recordist, frames: sound.frames, t0: t0, t1: t1)
    try judgeFiles(recordist)
  }

  private func judgeLog(
    _ recordist: Recordist, frames: Int64, t0: SharedInstant, t1: SharedInstant
  ) throws {
    let entries = try recordist.entries()
    guard case .header(let header) = entries.first, case .summary(let summary) = entries.last else {
      Issue.record("a log begins with a header and ends with a summary")
      return
    }
    #expect(header.t0 == t0)
    #expect(header.sampleRateHertz == 48_000 && header.bits == 24)
    #expect(try recordist.file(".wav").hasSuffix(header.file))
    #expect(summary.frames == frames && summary.t1 == t1 && summary.isComplete)
    let clocks = entries.compactMap { if case .clock(let clock) = $0 { clock } else { nil } }
    #expect(clocks.first?.frame == 0)
    #expect(clocks.last?.frame == frames - 1)
    for clock in clocks {
      #expect(clock.shared == recordist.map.shared(at: clock.host))
      #expect(clock.jitterBoundNanoseconds == 3000 && clock.pathLimitNanoseconds == 20_000)
      #expect(clock.generation == 3)
    }
  }

  private func judgeFiles(_ recordist: Recordist) throws {
    #expect(recordist.workspace.files.filter { $0.hasSuffix(".part") } == [])
    let summary = recordist.workspace.text(of: try recordist.file(".take.json"))
    #expect(summary.contains("\"complete\" : true"))
    #expect(summary.contains("\"schema\" : \"recorder.take.1\""))
  }

  @Test("a ring that does not reach back to T0 makes a take that begins late and says so")
  func beyondReach() throws {
    let workspace = TestFolder()
    let config = TestFolder()
    let card = VirtualCard("young")
    VirtualCard.install([card], in: config)
    let recordist = Recordist(pcm: "young", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(1_200_000)
    let t0 = roundedUp(recordist.now - .seconds(30))
    let report = try recordist.engine.start(at: t0)
    #expect(!report.isCovered)
    #expect(recordist.wait(seconds: 3) { $0.recordedFrames > 0 })
    try recordist.engine.stop(at: recordist.now)
    #expect(recordist.waitForEnd())
    let entries = try recordist.entries()
    guard case .header(let header) = entries.first else {
      Issue.record("a log begins with a header")
      return
    }
    // Its TimeReference is its own first frame's, and not that of T0.
    #expect(header.firstShared - t0 > .seconds(28))
    let seconds = (header.firstShared - Recordist.session.anchor).inSeconds
    let midnight = Double(Recordist.session.anchorUnixNanoseconds / 1_000_000_000 + 7200)
    let expected = (midnight + seconds).truncatingRemainder(dividingBy: 86_400) * 48_000
    #expect(abs(Double(header.timeReference) - expected) <= 1)
    let markers = entries.compactMap { if case .marker(let mark) = $0 { mark.text } else { nil } }
    #expect(markers.contains { $0.contains("the ring did not reach back") })
    #expect(recordist.engine.snapshot.warnings.contains { $0.contains("did not reach back") })
    let sound = try recordist.sound()
    let truth = TrueInstant(nanoseconds: recordist.map.host(at: header.firstShared).nanoseconds)
    // So young a stream is not well known, and the bound says how well: 23 us of it are the map's.
    let bound = try #require(recordist.engine.snapshot.firstSample).boundNs - 23_000
    let off = card.secondsOff(sound.firstSecond, expected: truth)
    #expect(abs(off) < Double(bound) * 1e-9, "\(off * 1e6) us, bound \(bound) ns")
    #expect(bound < 2_000_000)
  }

  @Test("disarming in the middle of a take is refused; shutting down keeps what there is")
  func shutDown() throws {
    let workspace = TestFolder()
    let config = TestFolder()
    VirtualCard.install([VirtualCard("short")], in: config)
    let recordist = Recordist(pcm: "short", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(400_000)
    _ = try recordist.engine.start(at: roundedUp(recordist.now - .milliseconds(200)))
    #expect(recordist.wait(seconds: 2) { $0.state.word == "rolling" })
    #expect(throws: CaptureError.state(.rolling)) { try recordist.engine.disarm() }
    #expect(throws: CaptureError.state(.rolling)) {
      try recordist.engine.arm(Recordist.plan(2))
    }
    usleep(500_000)
    recordist.engine.shutDown()
    #expect(recordist.engine.snapshot.state == .idle)
    let sound = try recordist.sound()
    #expect(sound.frames > 20_000 && sound.frames < 96_000)
    guard case .summary(let summary) = try recordist.entries().last else {
      Issue.record("a log ends with a summary")
      return
    }
    #expect(!summary.isComplete && summary.frames == sound.frames)
  }

  @Test("a take that is started again goes on in a second segment, and nothing is overwritten")
  func again() throws {
    let workspace = TestFolder()
    let config = TestFolder()
    VirtualCard.install([VirtualCard("again")], in: config)
    let recordist = Recordist(pcm: "again", workspace: workspace)
    _ = try recordist.engine.arm(Recordist.plan(1))
    usleep(300_000)
    for round in 1...2 {
      let t0 = roundedUp(recordist.now - .milliseconds(200))
      _ = try recordist.engine.start(at: t0)
      try recordist.engine.stop(at: t0 + .milliseconds(150))
      let ended = recordist.wait(seconds: 3) { _ in
        recordist.events.filter { if case .ended = $0 { true } else { false } }.count == round
      }
      #expect(ended)
    }
    let names = workspace.files.map { $0.split(separator: "_").last.map(String.init) ?? "" }
    #expect(names.filter { $0.hasSuffix(".wav") }.sorted() == ["001.wav", "002.wav"])
    #expect(workspace.files.filter { $0.hasSuffix(".take.json") }.count == 2)
    for name in workspace.files where name.hasSuffix(".wav") {
      let frames = (workspace.bytes(of: name).count - 16_384) / 3
      #expect(abs(frames - 7200) <= 1)
    }
  }
}
