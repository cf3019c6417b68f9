import Realtime
import TestLanes
import Testing
import Units

@Suite("Ring and queue", .computing)
struct RingTests {
  private func fill(_ ring: FrameRing, frames: Int, from first: UInt8) {
    var left = frames
    var value = first
    while left > 0 {
      let (start, room) = ring.claim(left)
      for place in 0..<room * ring.bytesPerFrame {
        (start + place).storeBytes(of: value, as: UInt8.self)
        if place % ring.bytesPerFrame == ring.bytesPerFrame - 1 { value &+= 1 }
      }
      ring.publish(room)
      left -= room
    }
  }

  private func read(_ ring: FrameRing, from index: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0xEE, count: count * ring.bytesPerFrame)
    let isWhole = bytes.withUnsafeMutableBytes { target in
      target.baseAddress.map { ring.copy(from: SampleIndex(index), count: count, to: $0) } ?? false
    }
    return isWhole ? bytes : nil
  }

  @Test("frames are found by their index, across the seam too")
  func seam() {
    let ring = FrameRing(capacity: 10, bytesPerFrame: 3)
    fill(ring, frames: 8, from: 0)
    fill(ring, frames: 5, from: 8)
    #expect(ring.end == SampleIndex(13))
    #expect(ring.oldest == SampleIndex(3))
    let wanted = (UInt8(3)..<13).flatMap { [$0, $0, $0] }
    #expect(read(ring, from: 3, count: 10) == wanted)
  }

  @Test("what is overwritten, or not there yet, is not given")
  func limits() {
    let ring = FrameRing(capacity: 10, bytesPerFrame: 1)
    fill(ring, frames: 13, from: 0)
    #expect(read(ring, from: 2, count: 1) == nil)
    #expect(read(ring, from: 3, count: 1) == [3])
    #expect(read(ring, from: 12, count: 1) == [12])
    #expect(read(ring, from: 12, count: 2) == nil)
    #expect(read(ring, from: 3, count: 11) == nil)
    // What the writer is about to overwrite is gone from that moment.
    _ = ring.claim(2)
    #expect(read(ring, from: 3, count: 1) == nil)
    #expect(read(ring, from: 5, count: 1) == [5])
  }

  @Test("silence takes the place of what was lost, even more than the ring holds")
  func silence() {
    let ring = FrameRing(capacity: 10, bytesPerFrame: 1)
    fill(ring, frames: 10, from: 1)
    ring.publishSilence(4)
    #expect(read(ring, from: 8, count: 6) == [9, 10, 0, 0, 0, 0])
    ring.publishSilence(25)
    #expect(ring.end == SampleIndex(39))
    #expect(read(ring, from: 29, count: 10) == [UInt8](repeating: 0, count: 10))
  }

  @Test("a queue keeps the order, and drops and counts what finds no room")
  func queue() {
    let queue = WaitFreeQueue<Int>(capacity: 3, filler: 0)
    #expect(queue.pop() == nil)
    for value in 1...5 { queue.push(value) }
    #expect(queue.dropped == 2)
    #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [1, 2, 3, nil])
    queue.push(6)
    #expect(queue.pop() == 6)
  }

  @Test("a reader beside a writer gets whole frames or none")
  func beside() {
    let ring = FrameRing(capacity: 64, bytesPerFrame: 8)
    let frames: Int64 = 200_000
    let writer = RealtimeThread(name: "filler") {
      var number: Int64 = 0
      while number < frames {
        let (start, room) = ring.claim(Int(min(7, frames - number)))
        for place in 0..<room {
          start.storeBytes(of: number + Int64(place), toByteOffset: 8 * place, as: Int64.self)
        }
        ring.publish(room)
        number += Int64(room)
      }
    }
    var torn = 0
    while ring.end.value < frames {
      let index = max(0, ring.end.value - 20)
      guard let bytes = read(ring, from: index, count: min(10, Int(ring.end.value - index))) else {
        continue
      }
      for place in 0..<bytes.count / 8 {
        let value = bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: 8 * place, as: Int64.self)
        }
        if value != index + Int64(place) { torn += 1 }
      }
    }
    writer.join()
    #expect(torn == 0)
  }
}
