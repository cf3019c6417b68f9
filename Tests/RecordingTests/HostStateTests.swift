import Recording
import TestLanes
import Testing
import Units

@Suite("Host state", .computing)
struct HostStateTests {
  let plan = TakePlan(id: TakeID(high: 1, low: 1), name: "take", number: 1)
  let other = TakePlan(id: TakeID(high: 2, low: 2), name: "take", number: 2)
  let t0 = SharedInstant(nanoseconds: 100_000_000_000)

  @Test("idle, armed, scheduled, and back to armed with a stop before T0")
  func round() throws {
    var state = try HostState.idle.after(.arm(plan))
    #expect(state == .armed(plan))
    state = try state.after(.start(t0: t0))
    #expect(state == .scheduled(plan, t0: t0))
    #expect(state.word == "scheduled")
    #expect(try state.after(.stop(t1: t0)) == .armed(plan))
    #expect(try state.after(.disarm) == .idle)
    let t1 = t0 + .seconds(1)
    #expect(try state.after(.stop(t1: t1)) == .scheduled(plan, t0: t0, t1: t1))
  }

  @Test("a take that is scheduled may have its end already; it may come later yet, not earlier")
  func scheduledEnd() throws {
    let one = t0 + .seconds(1)
    var state = HostState.scheduled(plan, t0: t0, t1: one)
    state = try state.after(.stop(t1: one + .seconds(1)))
    state = try state.after(.stop(t1: one))
    #expect(state == .scheduled(plan, t0: t0, t1: one + .seconds(1)))
    state = try state.after(.start(t0: t0 - .seconds(1)))
    #expect(state == .scheduled(plan, t0: t0 - .seconds(1), t1: one + .seconds(1)))
    #expect(try state.after(.disarm) == .idle)
  }

  @Test("two starts make one take with the earlier T0, in whatever order they come")
  func twoStarts() throws {
    let later = t0 + .milliseconds(20)
    for order in [[t0, later], [later, t0]] {
      var state = HostState.armed(plan)
      for instant in order { state = try state.after(.start(t0: instant)) }
      #expect(state == .scheduled(plan, t0: t0))
    }
  }

  @Test("two stops: the later T1 holds; a start of what rolls changes nothing")
  func twoStops() throws {
    let rolling = HostState.rolling(plan, t0: t0, t1: nil)
    let one = t0 + .seconds(1)
    let two = t0 + .seconds(2)
    #expect(
      try rolling.after(.stop(t1: one)).after(.stop(t1: two)) == .rolling(plan, t0: t0, t1: two))
    #expect(
      try rolling.after(.stop(t1: two)).after(.stop(t1: one)) == .rolling(plan, t0: t0, t1: two))
    #expect(try rolling.after(.start(t0: one)) == rolling)
  }

  @Test("a stop in an hour is brought forward by a stop now, and put off by a later one")
  func changedStop() throws {
    let far = HostState.rolling(plan, t0: t0, t1: t0 + .seconds(3600))
    let near = HostState.rolling(plan, t0: t0, t1: t0 + .seconds(3598))
    let nearer = t0 + .milliseconds(3_597_999)
    #expect(try far.after(.stop(t1: t0 + .seconds(3598))) == far)
    #expect(try far.after(.stop(t1: nearer)) == .rolling(plan, t0: t0, t1: nearer))
    #expect(try near.after(.stop(t1: t0 + .seconds(3600))) == far)
  }

  @Test("arming again re-arms; while a take is scheduled or rolls it is refused")
  func rearm() throws {
    #expect(try HostState.armed(plan).after(.arm(other)) == .armed(other))
    let taken: [HostState] = [.scheduled(plan, t0: t0), .rolling(plan, t0: t0, t1: nil)]
    for state in taken {
      #expect(throws: HostState.Refusal.rolling) { try state.after(.arm(other)) }
    }
  }

  @Test("what has no place is refused, each for its own reason")
  func refusals() {
    let rolling = HostState.rolling(plan, t0: t0, t1: nil)
    #expect(throws: HostState.Refusal.notArmed) { try HostState.idle.after(.start(t0: t0)) }
    #expect(throws: HostState.Refusal.notRolling) { try HostState.idle.after(.stop(t1: t0)) }
    #expect(throws: HostState.Refusal.notRolling) { try HostState.armed(plan).after(.stop(t1: t0)) }
    #expect(throws: HostState.Refusal.rolling) { try rolling.after(.disarm) }
  }

  @Test("disarming is always possible but while a take rolls")
  func disarm() throws {
    #expect(try HostState.idle.after(.disarm) == .idle)
    #expect(try HostState.armed(plan).after(.disarm) == .idle)
    #expect(HostState.idle.plan == nil)
    #expect(HostState.armed(plan).plan == plan)
  }
}
