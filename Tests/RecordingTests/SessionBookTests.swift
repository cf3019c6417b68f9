import FoundationEssentials
import Recording
import TestLanes
import Testing
import Units

@Suite("What a session has agreed on", .computing)
struct SessionBookTests {
  private let session = SessionID(high: 1, low: 1)

  private func peer(_ number: UInt64) -> PeerID { PeerID(high: number, low: 0) }

  private func slate(_ scene: String, at seconds: Int64, by number: UInt64 = 1) -> SessionBook.Slate
  {
    SessionBook.Slate(
      scene: scene, project: nil, tape: nil, setAt: .sessionStart + .seconds(seconds),
      by: peer(number))
  }

  @Test("of two slates the later holds, in whatever order hosts learn of them")
  func slates() {
    let written = [slate("12A", at: 1), slate("12B", at: 3), slate("12C", at: 2)]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1]] {
      var book = SessionBook(session: session)
      for place in order {
        var other = SessionBook(session: session)
        other.write(written[place])
        book.learn(other)
      }
      #expect(book.slate?.scene == "12B", "\(order)")
    }
    var tie = SessionBook(session: session)
    tie.write(slate("higher", at: 5, by: 2))
    tie.write(slate("lower", at: 5, by: 1))
    #expect(tie.slate?.scene == "higher")
  }

  @Test("of two timecodes the earlier holds: files bear it already")
  func timecodes() {
    var one = SessionBook(session: session)
    one.agree(.init(setting: "25", setAt: .sessionStart + .seconds(2), by: peer(1)))
    var other = SessionBook(session: session)
    other.agree(.init(setting: "24", setAt: .sessionStart + .seconds(1), by: peer(2)))
    let before = one
    one.learn(other)
    other.learn(before)
    #expect(one.timecode?.setting == "24" && other.timecode?.setting == "24")
  }

  @Test("another session's book is not learnt from; a new session keeps the slate alone")
  func sessions() throws {
    var old = SessionBook(session: session)
    old.write(slate("12A", at: 1000))
    old.agree(.init(setting: "24", setAt: .sessionStart, by: peer(1)))
    let next = SessionID(high: 2, low: 2)
    var renewed = old.renewed(for: next)
    #expect(renewed.slate?.scene == "12A" && renewed.timecode == nil)
    renewed.learn(old)
    #expect(renewed.timecode == nil)
    renewed.write(slate("13", at: 1))
    #expect(renewed.slate?.scene == "13")
    let back = try JSONDecoder().decode(
      SessionBook.self, from: try JSONEncoder().encode(renewed))
    #expect(back == renewed)
  }

  @Test("texts on a slate are cut at their limit")
  func limits() {
    let full = String(repeating: "拍", count: TakePlan.longestName)
    #expect(slate(full, at: 1).scene == full)
    #expect(slate(full + "x", at: 1).scene == full)
    let note = String(repeating: "n", count: TakeRemarks.longestNote)
    #expect(TakeRemarks(note: note).note == note && TakeRemarks(note: note + "n").note == note)
  }

  @Test("a number that doubles gets letters in order of T0; one take on two hosts does not double")
  func labels() {
    let id = { (number: UInt64) in TakeID(high: number, low: 0) }
    let at = { (seconds: Int64) in SharedInstant.sessionStart + .seconds(seconds) }
    let labels = TakeLabels.labels(of: [
      (id(1), 6, at(0)), (id(3), 7, at(20)), (id(2), 7, at(10)), (id(2), 7, at(11)),
      (id(4), 7, at(30)),
    ])
    #expect(labels == [id(1): "6", id(2): "7", id(3): "7b", id(4): "7c"])
    let many = TakeLabels.labels(of: (0..<30).map { (id(UInt64($0)), 1, at(Int64($0))) })
    #expect(many[id(25)] == "1z" && many[id(26)] == "1ba" && Set(many.values).count == 30)
  }

  @Test("a wall clock that is set is noticed, one that is slewed is not")
  func wallClock() {
    var watch = WallClockWatch()
    let second: Int64 = 1_000_000_000
    var unix = 1_790_000_000 * second
    for turn in 0..<100 {
      #expect(
        watch.look(host: HostInstant(nanoseconds: Int64(turn) * second), unixNanoseconds: unix)
          == nil)
      unix += second + 500_000
    }
    let step = watch.look(
      host: HostInstant(nanoseconds: 100 * second), unixNanoseconds: unix - 3600 * second)
    #expect(step == -3600 * second + 500_000)
    #expect(
      watch.look(
        host: HostInstant(nanoseconds: 101 * second), unixNanoseconds: unix - 3599 * second) == nil)
    #expect(
      watch.look(
        host: HostInstant(nanoseconds: 102 * second),
        unixNanoseconds: unix - 3598 * second + 6_000_000) == 6_000_000)
  }

  @Test("a certificate is the same whether it was written live or from the log")
  func certificate() {
    let t0 = SharedInstant.sessionStart
    let clock = { (frame: Int64) in
      TimingLogClock(
        frame: frame, host: HostInstant(nanoseconds: frame), shared: t0 + .nanoseconds(frame),
        jitterBoundNanoseconds: 10, pathLimitNanoseconds: 200, cardBoundNanoseconds: 3,
        cardPPM: 1, skewPPM: 2, generation: 1)
    }
    let exchange = { (kind: String) in
      TimingLogExchange(
        t1: HostInstant(nanoseconds: 0), t2: HostInstant(nanoseconds: 0),
        t3: HostInstant(nanoseconds: 0), t4: HostInstant(nanoseconds: 0), receiveKind: kind,
        transmitKind: "kernel", coordinator: self.peer(3))
    }
    var draft = CertificateDraft()
    let entries: [TimingLogEntry] = [
      .coordinator(.init(host: HostInstant(nanoseconds: 0), coordinator: peer(3))),
      .coordinator(.init(host: HostInstant(nanoseconds: 1), coordinator: peer(3))),
      .clock(clock(0)), .exchange(exchange("kernel")), .exchange(exchange("scheduled")),
      .gap(.init(frame: 3, frames: 4, cause: "overrun", boundFrames: 1)), .clock(clock(900)),
      .coordinator(.init(host: HostInstant(nanoseconds: 9), coordinator: peer(4))),
    ]
    for entry in entries { draft.take(entry, firstFrame: 100) }
    let found = draft.certificate(t0: t0, t1: t0 + .nanoseconds(1000))
    #expect(found.head?.frame == 100 && found.head?.offsetNanoseconds == 0)
    #expect(found.tail?.frame == 1000 && found.tail?.offsetNanoseconds == -100)
    #expect(found.tail?.boundNanoseconds == 213)
    #expect(found.stamp == "scheduled" && found.exchanges == 2)
    #expect(found.gaps == 1 && found.lostFrames == 4 && found.gapBoundFrames == 1)
    #expect(found.coordinators.map(\.coordinator) == [peer(3), peer(4)])
  }
}
