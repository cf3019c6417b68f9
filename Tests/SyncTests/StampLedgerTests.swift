import PeerCore
import TestLanes
import Testing
import Units

@Suite("When a datagram left", .computing)
struct StampLedgerTests {
  static let start = HostInstant(nanoseconds: 5_000_000_000)
  static let token = SendToken(value: 1)
  static let bytes: [UInt8] = [1, 2, 3]
  /// What the kernel loops back: the link's and the network's headers, then the bytes.
  static let frame = [UInt8](repeating: 0xEE, count: 42) + bytes

  static func expecting() -> StampLedger {
    var ledger = StampLedger()
    ledger.expect(token, bytes: bytes, at: start)
    return ledger
  }

  @Test("the driver's stamp is final at once, and known by the bytes")
  func kernel() {
    var ledger = Self.expecting()
    let stamp = Self.start + .microseconds(7)
    let foreign = ledger.take(frame: [9, 9, 9], stamp: stamp, kind: .kernel)
    #expect(foreign == nil)
    let short = ledger.take(frame: [2, 3], stamp: stamp, kind: .kernel)
    #expect(short == nil)
    let found = ledger.take(frame: Self.frame, stamp: stamp, kind: .kernel)
    #expect(found == .init(token: Self.token, stamp: stamp, kind: .kernel))
    let again = ledger.take(frame: Self.frame, stamp: stamp, kind: .kernel)
    #expect(again == nil)
    let late = ledger.expire(at: Self.start + .seconds(9))
    #expect(late.isEmpty)
  }

  @Test("without it the queue's serves after 50 ms, without that the program's own")
  func ladder() {
    for hasQueue in [true, false] {
      var ledger = Self.expecting()
      let queued = Self.start + .microseconds(5)
      if hasQueue {
        let early = ledger.take(frame: Self.frame, stamp: queued, kind: .scheduled)
        #expect(early == nil)
      }
      let tooSoon = ledger.expire(at: Self.start + StampLedger.patience)
      #expect(tooSoon.isEmpty)
      let found = ledger.expire(at: Self.start + StampLedger.patience + .nanoseconds(1))
      let stamp = hasQueue ? queued : Self.start
      let kind: StampKind = hasQueue ? .scheduled : .userSpace
      #expect(found == [.init(token: Self.token, stamp: stamp, kind: kind)])
    }
  }

  @Test("eight in a row without the driver's stamp, and the wait is 5 ms; one with, and it is 50")
  func patience() {
    var ledger = StampLedger()
    var now = Self.start
    for number in 0..<UInt8(StampLedger.mostMissing) {
      ledger.expect(SendToken(value: UInt64(number)), bytes: [number], at: now)
      let early = ledger.expire(at: now + .milliseconds(6))
      #expect(early.isEmpty, "datagram \(number)")
      now = now + .milliseconds(51)
      let found = ledger.expire(at: now)
      #expect(found.count == 1)
    }
    ledger.expect(Self.token, bytes: Self.bytes, at: now)
    let soon = ledger.expire(at: now + .milliseconds(6))
    #expect(soon.map(\.kind) == [.userSpace])
    ledger.expect(Self.token, bytes: Self.bytes, at: now)
    let found = ledger.take(frame: Self.frame, stamp: now, kind: .kernel)
    #expect(found?.kind == .kernel)
    ledger.expect(Self.token, bytes: Self.bytes, at: now)
    let patient = ledger.expire(at: now + .milliseconds(50))
    #expect(patient.isEmpty)
  }

  @Test("a stamp from before the call, or over 50 ms after it, is none of this datagram")
  func outliers() {
    let delays: [(Duration, Bool)] = [
      (.nanoseconds(-1_001), false), (.microseconds(-1), true), (.milliseconds(50), true),
      (.nanoseconds(50_000_001), false),
    ]
    for (delay, isTaken) in delays {
      var ledger = Self.expecting()
      let found = ledger.take(frame: Self.frame, stamp: Self.start + delay, kind: .kernel)
      #expect((found != nil) == isTaken, "\(delay)")
    }
  }

  @Test("64 datagrams wait at most; one that was not sent is waited for no longer")
  func limits() {
    var ledger = StampLedger()
    for number in 0...StampLedger.mostPending {
      ledger.expect(SendToken(value: UInt64(number)), bytes: [UInt8(number)], at: Self.start)
    }
    ledger.cancel(SendToken(value: 5))
    let found = ledger.expire(at: Self.start + .seconds(1))
    #expect(found.count == StampLedger.mostPending - 1)
    #expect(found.first?.token == SendToken(value: 1))
    #expect(!found.contains { $0.token == SendToken(value: 5) })
  }
}
