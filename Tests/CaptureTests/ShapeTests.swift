import AcousticScene
import CaptureEngine
import Glibc
import Recording
import SoundFile
import TestFolders
import Testing
import Units

/// Every format, from one channel to 64 and from 8 to 192 kHz, with a loss amid each.
extension CaptureTests {
  private static func card(
    _ name: String, _ format: String, channels: Int, rate: Int
  ) -> VirtualCard {
    var card = VirtualCard(name)
    card.format = format
    card.channels = channels
    card.rate = rate
    card.bufferFrames = 2 * rate
    card.channelDelayNanoseconds = 100_000
    card.partsPerMillion = 37.5
    return card
  }

  private var shapes: [VirtualCard] {
    [
      Self.card("slow", "FLOAT_LE", channels: 2, rate: 8000),
      Self.card("many", "S32_LE", channels: 64, rate: 8000),
      Self.card("twoBytes", "S16_LE", channels: 1, rate: 22_050),
      Self.card("padded", "S24_LE", channels: 3, rate: 44_100),
      Self.card("packed", "S24_3LE", channels: 2, rate: 88_200),
      Self.card("float", "FLOAT_LE", channels: 1, rate: 176_400),
      Self.card("fast", "S32_LE", channels: 2, rate: 192_000),
    ]
  }

  @Test(
    "every format, 1 to 64 channels, 8 to 192 kHz: frames, channels and a loss are all right",
    arguments: 0..<CaptureTests.partCount)
  func allShapes(part: Int) throws {
    let config = TestFolder()
    let all = shapes
    let cards = stride(from: part, to: all.count, by: Self.partCount).map { all[$0] }
    VirtualCard.install(cards, in: config)
    let recordists = cards.map {
      Recordist(pcm: $0.name, workspace: TestFolder(), rate: $0.rate)
    }
    for (card, recordist) in zip(cards, recordists) {
      let armed = try recordist.engine.arm(Recordist.plan(1))
      #expect(armed.input.channels == card.channels, "\(card.name)")
    }
    usleep(2_500_000)
    let t0 = recordists.map { roundedUp($0.now) }
    for (place, card) in cards.enumerated() {
      let amid = truth(recordists[place], t0[place] + .milliseconds(700))
      card.order("xrun", at: Int64(card.crystal.count(at: amid).rounded()), in: config)
      _ = try recordists[place].engine.start(at: t0[place])
      try recordists[place].engine.stop(at: t0[place] + .milliseconds(1500))
    }
    for (place, recordist) in recordists.enumerated() {
      #expect(recordist.waitForEnd(), "\(cards[place].name)")
      try judge(cards[place], recordist, t0: t0[place], in: config)
      try recordist.engine.disarm()
    }
  }

  private func judge(
    _ card: VirtualCard, _ recordist: Recordist, t0: SharedInstant, in config: TestFolder
  ) throws {
    let path = recordist.workspace.path + "/" + (try recordist.file(".wav"))
    let entries = try recordist.entries()
    let verdict = try TruthJudge(card: card, truth: try card.truth(in: config))
      .judge(path: path, entries: entries)
    #expect(verdict.complaints == [], "\(card.name)")
    let gaps = entries.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    #expect(gaps.map(\.cause) == ["overrun"], "\(card.name)")
    let ends = [t0, t0 + .milliseconds(1500)].map { card.crystal.count(at: truth(recordist, $0)) }
    let open = 2 + gaps.reduce(0) { $0 + $1.boundFrames }
    #expect(abs(Double(verdict.frames) - (ends[1] - ends[0])) <= Double(open), "\(card.name)")
    var reader = try SoundFileReader(path: path)
    #expect(reader.channels == card.channels && reader.bits == 24, "\(card.name)")
    try checkChannels(card, try reader.read(frames: 400), near: Int64(ends[0].rounded()))
  }

  /// Each channel has the sound of its own place, of one instant in every frame.
  private func checkChannels(_ card: VirtualCard, _ samples: [Double], near tick: Int64) throws {
    func worst(_ first: Int64, channels: Range<Int>) -> Double {
      var worst = 0.0
      for place in samples.indices where channels.contains(place % card.channels) {
        let heard = card.sound(
          at: first + Int64(place / card.channels), channel: place % card.channels)
        worst = max(worst, abs(samples[place] - heard))
      }
      return worst
    }
    let near = (tick - 20...tick + 20).map { (error: worst($0, channels: 0..<1), tick: $0) }
    let first = try #require(near.min { $0.error < $1.error }).tick
    let error = worst(first, channels: 0..<card.channels)
    #expect(samples.count == 400 * card.channels)
    #expect(error < TruthJudge.tolerance, "\(card.name): \(error)")
  }
}
