import ALSA
import AcousticScene
import Glibc
import HostClock
import Realtime
import Recording
import Synchronization
import TestFolders
import Testing
import Units

@testable import CaptureEngine

extension CaptureTests {
  private final class Hand: Sendable {
    let card = Mutex<PCMCapture?>(nil)

    init(_ card: consuming PCMCapture) {
      var card: PCMCapture? = card
      self.card.withLock { $0 = card.take() }
    }
  }

  private func run(_ card: consuming PCMCapture, _ stream: CaptureStream) -> RealtimeThread {
    let hand = Hand(card)
    return RealtimeThread(name: "capture") {
      guard let card = hand.card.withLock({ $0.take() }) else { return }
      CaptureLoop(card: card, stream: stream, clock: HostClock()).run()
    }
  }

  /// The next gap that the thread tells of, within three seconds.
  private func nextGap(_ stream: CaptureStream) -> StreamGap? {
    for _ in 0..<600 {
      while let event = stream.events.pop() {
        if case .gap(let gap) = event { return gap }
      }
      usleep(5000)
    }
    return nil
  }

  @Test("a loss from before a stop is in the stop's gap, and is not made up for once more")
  func repairAtStop() throws {
    let workspace = TestFolder()
    let card = VirtualCard("stopping")
    VirtualCard.install([card], in: workspace)
    var opened = try PCMCapture(
      opening: "stopping", rate: SampleRate(hertz: 48_000), channels: nil, clock: HostClock())
    try opened.start()
    let ring = FrameRing(capacity: 480_000, bytesPerFrame: opened.bytesPerFrame)
    let stream = CaptureStream(ring: ring, rate: opened.rate)
    let thread = run(opened, stream)
    usleep(300_000)
    card.order("xrun", in: workspace)
    let stop = try #require(nextGap(stream))
    #expect(stop.cause == .overrun && stop.frames >= 0 && stop.boundFrames > 0)
    // Found by looks from before the stop, and asked for when the stream had begun anew already; and
    // one that lies behind, as far as is known by a single frame.
    let begun = stop.end.value
    for (frames, limit) in [(Int64(4019), begun), (96, begun + 1)] {
      stream.repairs.push(
        StreamGap(
          index: 0, frames: frames, boundFrames: 2, cause: .silentLoss,
          lostFrom: stop.index - 4800, lostTo: limit))
    }
    let made = try #require(nextGap(stream))
    #expect(made.frames == 96 && made.cause == .silentLoss && made.index >= begun)
    #expect(made.lostFrom == stop.index - 4800 && made.lostTo == begun + 1)
    usleep(200_000)
    stream.shallStop.store(true, ordering: .relaxed)
    thread.join()
    #expect(nextGap(stream) == nil)
    // The ring holds what the card handed over, and the two silences: nothing else.
    let handed = try card.truth(in: workspace).handed.reduce(0) { $0 + Int64($1.count) }
    #expect(ring.end.value == handed + stop.frames + 96)
  }

  @Test("a card that is not read in time loses frames that are counted exactly")
  func notReadInTime() throws {
    let workspace = TestFolder()
    var card = VirtualCard("hasty")
    card.bufferFrames = 24_000
    card.partsPerMillion = -62.25
    VirtualCard.install([card], in: workspace)
    var opened = try PCMCapture(
      opening: "hasty", rate: SampleRate(hertz: 48_000), channels: nil, clock: HostClock())
    #expect(opened.bufferFrames == 24_000)
    let before = TrueInstant(nanoseconds: HostClock().now().nanoseconds)
    try opened.start()
    let started = TrueInstant(nanoseconds: HostClock().now().nanoseconds)
    // Twice as long as the buffer reaches; which a busy machine does not let it be late by again.
    usleep(1_000_000)
    let ring = FrameRing(capacity: 960_000, bytesPerFrame: opened.bytesPerFrame)
    let stream = CaptureStream(ring: ring, rate: opened.rate)
    let passed = TrueInstant(nanoseconds: HostClock().now().nanoseconds).seconds(since: started)
    let thread = run(opened, stream)
    usleep(1_300_000)
    stream.shallStop.store(true, ordering: .relaxed)
    thread.join()
    var found: [StreamGap] = []
    while let event = stream.events.pop() {
      if case .gap(let gap) = event { found.append(gap) }
    }
    // What the card wrote over while a slow machine read the rest is lost too, right behind.
    var lost: Int64 = 0
    for gap in found {
      #expect(gap.index == lost && gap.cause == .notReadInTime && gap.boundFrames == 0)
      lost += gap.frames
    }
    #expect(Double(lost) > passed * 47_990 - 24_000 && lost > 24_000)
    #expect(ring.oldest == SampleIndex(0))
    let first = Int(lost)
    var bytes = [UInt8](repeating: 1, count: (first + 48_000) * 4)
    let isWhole = bytes.withUnsafeMutableBytes { target in
      target.baseAddress.map {
        ring.copy(from: SampleIndex(0), count: first + 48_000, to: $0)
      } ?? false
    }
    #expect(isWhole)
    #expect(bytes.prefix(first * 4).allSatisfy { $0 == 0 })
    let samples = bytes.withUnsafeBytes { raw in
      (first..<first + 48_000).map {
        Double(raw.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)) / 2_147_483_648
      }
    }
    // What comes behind the gap lies where the crystal says, counted from the stream's start.
    let grid = card.crystal.count(at: started).rounded(.down)
    let seconds = card.crystal.seconds(untilCount: grid + 1 + Double(first))
    let off = card.secondsOff(samples, expected: card.origin.advanced(bySeconds: seconds))
    // The stream's start lies between two readings, mostly within one frame.
    let frames = off * 48_000
    let earliest = card.crystal.count(at: before).rounded(.down) - grid
    #expect(abs(frames - frames.rounded()) < 0.1, "\(frames) frames")
    #expect(frames > earliest - 0.1 && frames < 0.1, "\(frames) frames")
  }
}
