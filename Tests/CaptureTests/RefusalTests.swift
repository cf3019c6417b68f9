import ALSA
import CaptureEngine
import Recording
import TestFolders
import Testing
import Units

extension CaptureTests {
  /// What arming says where it is refused.
  private func refusal(
    pcm: String, output: String? = nil, rate: Int = 48_000, channels: ChannelSelection? = nil,
    leastRoom: Duration = .seconds(1), tracks: [Track] = []
  ) throws -> CaptureError {
    let workspace = TestFolder()
    var busy = VirtualCard("taken")
    busy.isBusy = true
    VirtualCard.install([VirtualCard("card"), busy], in: workspace)
    let recordist = Recordist(
      pcm: pcm, workspace: workspace, output: output, rate: rate, channels: channels,
      leastRoom: leastRoom
    ) { $0.tracks = tracks }
    var found: CaptureError?
    do throws(CaptureError) {
      _ = try recordist.engine.arm(Recordist.plan(1))
    } catch {
      found = error
    }
    #expect(recordist.engine.snapshot.state == .idle)
    #expect(recordist.engine.snapshot.input == nil)
    #expect(workspace.files.filter { $0.hasPrefix("out/") } == [])
    return try #require(found)
  }

  @Test("a card that there is not is named")
  func noSuchCard() throws {
    let error = try refusal(pcm: "absent")
    #expect(error.description.hasPrefix("there is no sound device named \"absent\""))
  }

  @Test("a card that is busy is said to be in use")
  func busy() throws {
    let error = try refusal(pcm: "taken")
    guard case .card(let refused) = error, case .busy = refused.reason else {
      Issue.record("not busy but \(error)")
      return
    }
    #expect(error.description.hasPrefix("the sound device \"taken\" is in use by"))
    #expect(error.description.contains("end that program, or choose another card"))
  }

  @Test("a rate that the card has not is refused with those that it has")
  func rate() throws {
    let error = try refusal(pcm: "card", rate: 44_100)
    #expect(error.description.contains("cannot run at 44100 Hz; its own rates are 48000 Hz"))
    #expect(error.description.contains("choose one with --rate"))
  }

  @Test("channels that the card has not are refused with those that it has")
  func channels() throws {
    let error = try refusal(pcm: "card", channels: .first(3))
    #expect(error.description.contains("has no 3 channels; it has 1"))
    #expect(error.description.contains("choose with --channels"))
  }

  @Test("a name for a channel that is not recorded is refused, since it would be lost in silence")
  func tracks() throws {
    let error = try refusal(pcm: "card", tracks: [Track(channel: 2, name: "Vocal")])
    #expect(
      error.description == "channel 2 is called \"Vocal\" and is not recorded; recorded are 1: "
        + "record it too with --channels, or name one of these with --track")
  }

  @Test("an output folder that cannot be made is named, with the option for another")
  func output() throws {
    let error = try refusal(pcm: "card", output: "/dev/null/takes")
    #expect(error.description.hasPrefix("cannot write to /dev/null/takes: "))
    #expect(error.description.hasSuffix("--output"))
  }

  @Test("a disk without room is refused with both figures")
  func diskFull() throws {
    let error = try refusal(pcm: "card", leastRoom: .seconds(100_000_000_000))
    guard case .diskFull(_, let free, let needed) = error else {
      Issue.record("not full but \(error)")
      return
    }
    #expect(needed == 100_000_000_000 * 144_000 + 64_000_000 && free >= 0 && free < needed)
  }

  @Test("a host without shared time cannot place a take, and stays armed")
  func unsynced() throws {
    let workspace = TestFolder()
    VirtualCard.install([VirtualCard("card")], in: workspace)
    let recordist = Recordist(pcm: "card", workspace: workspace, isSynced: false)
    #expect(throws: CaptureError.state(.notArmed)) {
      try recordist.engine.start(at: recordist.now)
    }
    _ = try recordist.engine.arm(Recordist.plan(1))
    #expect(throws: CaptureError.unsynced) { try recordist.engine.start(at: recordist.now) }
    #expect(recordist.engine.snapshot.state.word == "armed")
    #expect(throws: CaptureError.state(.notRolling)) {
      try recordist.engine.stop(at: recordist.now)
    }
  }
}
