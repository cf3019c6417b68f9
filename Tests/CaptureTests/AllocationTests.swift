import ALSA
import AllocationCount
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
  private final class Tally: Sendable {
    let counted = Mutex<Int64?>(nil)
    let card = Mutex<PCMCapture?>(nil)
  }

  @Test("the capture thread takes nothing from the heap and gives nothing back")
  func allocations() throws {
    guard allocation_count_works() else { return }
    let workspace = TestFolder()
    var card = VirtualCard("steady")
    card.channels = 2
    VirtualCard.install([card], in: workspace)
    // The first loop of a program makes what it needs once; closing a card gives back a little.
    _ = try countAllocations(microseconds: 100_000)
    let closing = try countAllocations(microseconds: 0)
    let turning = try countAllocations(microseconds: 700_000)
    #expect(turning.frames > 24_000)
    #expect(turning.allocations == closing.allocations)
  }

  private func countAllocations(
    microseconds: UInt32
  ) throws -> (allocations: Int64, frames: Int64) {
    var opened = try PCMCapture(
      opening: "steady", rate: SampleRate(hertz: 48_000), channels: nil, clock: HostClock())
    try opened.start()
    let ring = FrameRing(capacity: 96_000, bytesPerFrame: opened.bytesPerFrame)
    let stream = CaptureStream(ring: ring, rate: opened.rate)
    stream.shallStop.store(microseconds == 0, ordering: .relaxed)
    let tally = Tally()
    hand(opened, to: tally)
    let thread = RealtimeThread(name: "counted") {
      guard let card = tally.card.withLock({ $0.take() }) else { return }
      let loop = CaptureLoop(card: card, stream: stream, clock: HostClock())
      allocation_count_begin()
      loop.run()
      let counted = allocation_count_end()
      tally.counted.withLock { $0 = counted }
    }
    usleep(microseconds)
    stream.shallStop.store(true, ordering: .relaxed)
    thread.join()
    return (try #require(tally.counted.withLock { $0 }), ring.end.value)
  }

  private func hand(_ card: consuming PCMCapture, to tally: Tally) {
    var card: PCMCapture? = card
    tally.card.withLock { $0 = card.take() }
  }

  @Test("the counter counts")
  func counter() {
    guard allocation_count_works() else { return }
    allocation_count_begin()
    let memory = malloc(100)
    free(memory)
    #expect(allocation_count_end() >= 2)
  }
}
