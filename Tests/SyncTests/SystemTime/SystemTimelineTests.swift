import PeerCore
import TestLanes
import Testing
import Units

/// A wall clock beside a host's own, which runs `excess` slow of it.
private struct Wall {
  var excess = 0.0
  var stepNanoseconds: Int64 = 0
  var isDisciplined = true
  var tai: Int32 = 37
  var leap = SystemTimeReading.Leap.none
  var estimated: Int64 = 2_000
  var maximum: Int64 = 30_000

  static let anchor: Int64 = 1_767_225_600_000_000_000  // 2026-01-01T00:00:00 UTC
  static let start: Int64 = 1_780_000_000_000_000_000

  /// What is read `seconds` after the start, at which the host's own clock shows 1000 s.
  func reading(_ seconds: Double) -> SystemTimeReading {
    let elapsed = Int64(seconds * 1e9)
    return SystemTimeReading(
      host: HostInstant(nanoseconds: 1_000_000_000_000 + elapsed),
      unixNanoseconds: Self.start + elapsed + Int64(Double(elapsed) * excess) + stepNanoseconds,
      widthNanoseconds: 100, isDisciplined: isDisciplined, estimatedErrorNanoseconds: estimated,
      maximumErrorNanoseconds: maximum, taiOffsetSeconds: tai, leap: leap)
  }

  /// Session time that much after the start.
  func shared(_ seconds: Double) -> Int64 {
    let elapsed = Int64(seconds * 1e9)
    return SharedInstant.sessionStart.nanoseconds + Self.start - Self.anchor + elapsed
      + Int64(Double(elapsed) * excess) + stepNanoseconds + Int64(tai - 37) * 1_000_000_000
  }
}

@Suite("Session time from a disciplined wall clock", .computing)
struct SystemTimelineTests {
  private let session: Session

  init() throws {
    let source = try #require(
      SystemTimeSource(anchorUnixNanoseconds: Wall.anchor, utcOffsetSeconds: 7200))
    session = source.session(groupTag: 0x0123_4567_89AB_CDEF)
  }

  @Test("a session follows from group, anchor and offset alone")
  func sessionIsDerived() throws {
    let source = try #require(
      SystemTimeSource(anchorUnixNanoseconds: Wall.anchor, utcOffsetSeconds: 7200))
    #expect(source.session(groupTag: 0x0123_4567_89AB_CDEF) == session)
    #expect(session.anchorUnixNanoseconds == Wall.anchor)
    #expect(session.anchor == .sessionStart)
    #expect(session.utcOffsetSeconds == 7200)
    #expect(source.session(groupTag: 1).id != session.id)
    for (anchor, offset) in [(Wall.anchor, Int32(-7200)), (Wall.anchor - 86_400_000_000_000, 7200)]
    {
      let other = try #require(
        SystemTimeSource(anchorUnixNanoseconds: anchor, utcOffsetSeconds: offset))
      #expect(other.session(groupTag: 0x0123_4567_89AB_CDEF).id != session.id)
    }
  }

  @Test("only UTC midnights from 2017 to 2100 are anchors, and offsets within 14 hours")
  func anchors() {
    #expect(SystemTimeSource(anchorUnixNanoseconds: Wall.anchor + 1, utcOffsetSeconds: 0) == nil)
    let first = SystemTimeSource.earliestAnchorUnixNanoseconds
    #expect(SystemTimeSource(anchorUnixNanoseconds: first, utcOffsetSeconds: 0) != nil)
    #expect(
      SystemTimeSource(anchorUnixNanoseconds: first - 86_400_000_000_000, utcOffsetSeconds: 0)
        == nil)
    #expect(SystemTimeSource(anchorUnixNanoseconds: first, utcOffsetSeconds: 50_400) != nil)
    #expect(SystemTimeSource(anchorUnixNanoseconds: first, utcOffsetSeconds: -50_401) == nil)
  }

  @Test("the map is UTC counted from the anchor, at the wall clock's own rate")
  func mapIsUTC() throws {
    var timeline = SystemTimeline(session: session)
    let wall = Wall(excess: 37e-6)
    var events: [SystemTimeline.Event] = []
    for turn in 0..<40 {
      events += timeline.add(wall.reading(Double(turn) / 2), activity: .rolling)
    }
    #expect(events == [.found(errorNanoseconds: 30_000)])
    let map = try #require(timeline.map)
    let later = wall.reading(24.5)
    #expect(abs(map.shared(at: later.host).nanoseconds - wall.shared(24.5)) <= 2)
    #expect(abs(map.skew.partsPerMillion - 37) < 0.001)
    #expect(map.jitterBoundNanoseconds == 2_100)
    #expect(map.pathLimitNanoseconds == 28_000)
    #expect(abs(map.boundGrowth.partsPerMillion - 10) < 0.1)
  }

  @Test("what the discipline slews is followed without a step")
  func slewIsFollowed() throws {
    var timeline = SystemTimeline(session: session)
    var events: [SystemTimeline.Event] = []
    for turn in 0..<120 {
      let seconds = Double(turn) / 2
      // From 20 s on the discipline works off 6 ms at 400 ppm.
      let slewed = min(max(0, seconds - 20) * 400e-6, 6e-3)
      var wall = Wall()
      wall.stepNanoseconds = Int64(slewed * 1e9)
      events += timeline.add(wall.reading(seconds), activity: .rolling)
      let map = try #require(timeline.map)
      #expect(map.shared(at: wall.reading(seconds).host).nanoseconds == wall.shared(seconds))
      #expect(map.generation == 1)
    }
    #expect(events == [.found(errorNanoseconds: 30_000)])
  }

  @Test("a step is taken at once while idle, and only after the take while rolling")
  func steps() throws {
    var timeline = SystemTimeline(session: session)
    var wall = Wall()
    _ = timeline.add(wall.reading(0), activity: .idle)
    _ = timeline.add(wall.reading(0.5), activity: .idle)

    wall.stepNanoseconds = 5_000_000_000
    #expect(
      timeline.add(wall.reading(1), activity: .idle)
        == [.stepped(nanoseconds: 5_000_000_000, isTaken: true)])
    #expect(timeline.map?.generation == 2)
    #expect(
      timeline.map?.shared(at: wall.reading(1).host).nanoseconds == wall.shared(1))

    wall.stepNanoseconds = 4_990_000_000
    #expect(
      timeline.add(wall.reading(1.5), activity: .rolling)
        == [.stepped(nanoseconds: -10_000_000, isTaken: false)])
    #expect(timeline.add(wall.reading(2), activity: .rolling) == [])
    var map = try #require(timeline.map)
    #expect(map.generation == 2)
    #expect(map.shared(at: wall.reading(2).host).nanoseconds == wall.shared(2) + 10_000_000)
    #expect(map.jitterBoundNanoseconds == 10_002_100)

    #expect(
      timeline.add(wall.reading(2.5), activity: .idle)
        == [.stepped(nanoseconds: -10_000_000, isTaken: true)])
    map = try #require(timeline.map)
    #expect(map.generation == 3)
    #expect(map.shared(at: wall.reading(2.5).host).nanoseconds == wall.shared(2.5))
    #expect(map.jitterBoundNanoseconds == 2_100)
  }

  @Test("a leap second goes by unnoticed: the scale is TAI")
  func leapSecond() throws {
    var timeline = SystemTimeline(session: session)
    var wall = Wall(leap: .insertion)
    _ = timeline.add(wall.reading(0), activity: .rolling)
    let before = try #require(timeline.map)
    // The kernel sets UTC back by a second, and counts one more.
    wall.stepNanoseconds = -1_000_000_000
    wall.tai = 38
    wall.leap = .going
    #expect(timeline.add(wall.reading(0.5), activity: .rolling) == [.leap(.going)])
    let after = try #require(timeline.map)
    #expect(after.generation == 1)
    let host = wall.reading(0.5).host
    #expect(after.shared(at: host) == before.shared(at: host))
  }

  @Test("a kernel that was never told of TAI counts leap seconds all the same")
  func leapWithoutTAI() throws {
    var timeline = SystemTimeline(session: session)
    var wall = Wall(tai: 0)
    _ = timeline.add(wall.reading(0), activity: .idle)
    let first = try #require(timeline.map)
    #expect(first.shared(at: wall.reading(0).host).nanoseconds == Wall().shared(0))
    wall.stepNanoseconds = -1_000_000_000
    wall.tai = 1
    #expect(timeline.add(wall.reading(0.5), activity: .idle) == [])
  }

  @Test("without anybody who vouches for it there is no map, and later only a holdover")
  func undisciplined() throws {
    var timeline = SystemTimeline(session: session)
    var wall = Wall(isDisciplined: false)
    #expect(timeline.add(wall.reading(0), activity: .idle) == [.lost])
    #expect(timeline.add(wall.reading(0.5), activity: .idle) == [])
    #expect(timeline.map == nil)
    wall.isDisciplined = true
    #expect(
      timeline.add(wall.reading(1), activity: .idle) == [.found(errorNanoseconds: 30_000)])
    wall.isDisciplined = false
    #expect(timeline.add(wall.reading(1.5), activity: .idle) == [.lost])
    let map = try #require(timeline.map)
    // 500 ppm over 10 s are 5 ms, on top of what there was half a second earlier.
    let bound = map.jitterBoundNanoseconds(at: wall.reading(11.5).host)
    #expect(bound == 2_100 + 250_000 + 5_000_000)
  }
}
