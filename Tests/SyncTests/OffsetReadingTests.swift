import PeerCore
import TestLanes
import Testing
import Units

@Suite("The offset that is shown, and its bound", .computing)
struct OffsetReadingTests {
  private static let run = PeerRun(
    peer: PeerID(high: 1, low: 0), incarnation: Incarnation(count: 1, nonce: 1))
  private static let session = Session(
    id: SessionClockTests.id, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
    utcOffsetSeconds: 0)

  private static func instant(_ seconds: Double) -> HostInstant {
    HostInstant(nanoseconds: Int64(seconds * 1e9))
  }

  /// A host that has followed a coordinator across `path` for some seconds.
  private func follower(across path: inout SimulatedPath, map: ClockMap) -> TimeKeeper {
    var keeper = TimeKeeper(stored: nil, at: Self.instant(99))
    keeper.follow(Self.run, leadingSince: Self.instant(90), at: Self.instant(99))
    keeper.heard(Self.session, from: Self.run.peer, at: Self.instant(99))
    for at in EstimatorTests.start + bursts(from: 102, count: 8, every: 1) {
      guard let exchange = path.exchange(at: at) else { continue }
      _ = keeper.add(exchange, map: map, activity: .idle, at: exchange.t4)
    }
    return keeper
  }

  /// How far a reading is off, in nanoseconds.
  private func error(_ reading: OffsetReading, at own: Double, of path: SimulatedPath) -> Double {
    abs(Double(reading.nanoseconds) - (path.other(at: own * 1e9) - own * 1e9))
  }

  @Test(
    "a map that holds over a change of the path is shown with its own line, not the coarse one",
    arguments: 1...8)
  func pathChanged(seed: UInt64) throws {
    var path = SimulatedPath(seed: seed)
    let map = SessionClockTests.far(generation: 1)
    var keeper = follower(across: &path, map: map)
    let before = try #require(keeper.offset(at: Self.instant(110)))
    #expect(error(before, at: 110, of: path) <= Double(before.jitterBoundNanoseconds))

    keeper.pathChanged(at: Self.instant(110))
    path.shape.floorAhead = 5_000_000
    path.shape.floorBack = 100_000
    let next = path.exchange(at: 110.1)
    let exchange = try #require(next)
    _ = keeper.add(exchange, map: map, activity: .idle, at: exchange.t4)
    let coarse = try #require(keeper.lastEstimate)
    #expect(abs(path.error(of: coarse, at: 110.2)) > 1_000_000)
    let held = try #require(keeper.offset(at: Self.instant(110.2)))
    #expect(error(held, at: 110.2, of: path) <= Double(held.jitterBoundNanoseconds), "seed \(seed)")
    #expect(held.jitterBoundNanoseconds < 100_000)
    let clock = try #require(keeper.clock.map)
    #expect(held.boundNanoseconds == clock.boundNanoseconds(at: Self.instant(110.2)))
  }

  @Test("it holds over with the map, and is another's once another is followed")
  func holdover() throws {
    var path = SimulatedPath(seed: 3)
    var keeper = follower(across: &path, map: SessionClockTests.far(generation: 1))
    keeper.holdOver(at: Self.instant(110))
    let late = try #require(keeper.offset(at: Self.instant(130)))
    #expect(error(late, at: 130, of: path) <= Double(late.jitterBoundNanoseconds))
    let other = PeerRun(peer: PeerID(high: 2, low: 0), incarnation: Self.run.incarnation)
    keeper.follow(other, leadingSince: Self.instant(130), at: Self.instant(131))
    #expect(keeper.offset(at: Self.instant(131)) == nil)
  }

  @Test("beside a session of one's own it is what was measured, with the bound of that")
  func ownSession() throws {
    var path = SimulatedPath(seed: 4)
    var keeper = TimeKeeper(
      stored: StoredTime(session: Self.session, map: SessionClockTests.minted().map),
      at: Self.instant(99))
    keeper.follow(Self.run, leadingSince: Self.instant(90), at: Self.instant(99))
    let other = SessionID(high: 9, low: 9)
    keeper.heard(
      Session(
        id: other, anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0, utcOffsetSeconds: 0),
      from: Self.run.peer, at: Self.instant(99))
    let theirs = ClockMap(
      session: other, generation: 1, hostAnchor: Self.instant(7_200), sharedAnchor: .sessionStart,
      skew: .zero, jitterBoundNanoseconds: 0, pathLimitNanoseconds: 0, boundGrowth: .zero)
    for at in EstimatorTests.start {
      guard let exchange = path.exchange(at: at) else { continue }
      _ = keeper.add(exchange, map: theirs, activity: .rolling, at: exchange.t4)
    }
    let reading = try #require(keeper.offset(at: Self.instant(101.5)))
    let estimate = try #require(keeper.lastEstimate)
    #expect(
      reading.jitterBoundNanoseconds == estimate.jitterBoundNanoseconds(at: Self.instant(101.5)))
    #expect(error(reading, at: 101.5, of: path) <= Double(reading.jitterBoundNanoseconds))
    #expect(keeper.clock.session?.id == SessionClockTests.id)
  }
}
