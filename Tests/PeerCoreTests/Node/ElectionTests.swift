import PeerCore
import TestLanes
import Testing
import Units

@Suite("The election", .computing)
struct ElectionTests {
  let one = PeerID(high: 1, low: 0)
  let two = PeerID(high: 2, low: 0)
  let three = PeerID(high: 3, low: 0)
  let start = HostInstant(nanoseconds: 1_000_000_000)

  private func election(_ me: PeerID, hasSession: Bool = false) -> Election {
    Election(
      me: me, candidacy: Election.Candidacy(grade: hasSession ? .good : .none, activity: .idle),
      at: start)
  }

  private func claim(
    _ term: Term?, hears: Bool = true, session: Bool = true, rolling: UInt16 = 0,
    hosts: UInt16 = 1, tenure: UInt32 = 0
  ) -> Claim {
    Claim(
      term: term, hearsCoordinator: hears, grade: session ? .good : .none, activity: .idle,
      hostCount: hosts, rollingCount: rolling, tenureSeconds: tenure)
  }

  @Test("a lone host leads after 0.7 s and not before")
  func lone() {
    var election = election(two)
    let changed1 = election.advance(to: start + .milliseconds(699))
    #expect(!changed1)
    #expect(election.coordinator == nil)
    #expect(election.nextWakeup(after: start + .milliseconds(699)) == start + .milliseconds(700))
    let changed2 = election.advance(to: start + .milliseconds(700))
    #expect(changed2)
    #expect(election.coordinator == two)
    #expect(election.term == Term(counter: 1, peer: two))
  }

  @Test("a host left alone holds over what time it has; one that never had any leads")
  func leftAlone() {
    for hasSession in [true, false] {
      var election = election(two, hasSession: hasSession)
      _ = election.heard(claim(Term(counter: 4, peer: three)), from: three, at: start)
      _ = election.advance(to: start + .milliseconds(1001))
      let changed = election.advance(to: start + .milliseconds(2001))
      #expect(changed)
      #expect(election.coordinator == (hasSession ? nil : two))
      #expect(election.term == Term(counter: hasSession ? 4 : 5, peer: hasSession ? three : two))
    }
  }

  @Test("who led, slept and listens is not followed any more, whatever term it remembers")
  func sleptCoordinator() {
    var election = election(two)
    let term = Term(counter: 4, peer: three)
    _ = election.heard(claim(term), from: three, at: start)
    #expect(election.coordinator == three)
    _ = election.heard(claim(term, hears: false), from: three, at: start + .seconds(1))
    #expect(!election.hearsCoordinator(at: start + .seconds(1)))
    _ = election.advance(to: start + .seconds(2))
    #expect(election.coordinator == two)
    #expect(election.term == Term(counter: 5, peer: two))
  }

  @Test("who listens after a sleep takes no lower term than it obeyed")
  func sleptFollower() {
    var election = election(two)
    _ = election.heard(claim(Term(counter: 4, peer: three)), from: three, at: start)
    election.slept(at: start + .seconds(1))
    let lower = claim(Term(counter: 3, peer: one))
    _ = election.heard(lower, from: one, at: start + .seconds(1))
    #expect(election.coordinator == nil)
    #expect(election.term == Term(counter: 4, peer: three))
  }

  @Test("a coordinator gives way to a higher one that others hear and it does not, after 1.2 s")
  func unheard() {
    var election = election(two)
    _ = election.advance(to: start + .seconds(1))
    #expect(election.coordinator == two)
    let elsewhere = claim(Term(counter: 7, peer: three))
    for tenth in 10...21 {
      _ = election.heard(elsewhere, from: one, at: start + .milliseconds(100 * tenth))
    }
    #expect(election.coordinator == two)
    _ = election.heard(elsewhere, from: one, at: start + .milliseconds(2200))
    #expect(election.coordinator == three)
  }

  @Test("the smaller id is waited for, and then not for ever")
  func patience() {
    var election = election(two)
    let nobody = claim(nil, hears: false, session: false)
    let changed3 = election.heard(nobody, from: one, at: start + .milliseconds(500))
    #expect(!changed3)
    let changed4 = election.advance(to: start + .milliseconds(700))
    #expect(!changed4)
    let changed5 = election.advance(to: start + .milliseconds(1099))
    #expect(!changed5)
    let changed6 = election.advance(to: start + .milliseconds(1100))
    #expect(changed6)
    #expect(election.coordinator == two)
  }

  @Test("who knows the session's time goes before a smaller id")
  func session() {
    var election = election(two, hasSession: true)
    _ = election.heard(
      claim(nil, hears: false, session: false), from: one, at: start + .milliseconds(600))
    let changed7 = election.advance(to: start + .milliseconds(700))
    #expect(changed7)
    #expect(election.coordinator == two)
  }

  @Test("an incumbent is followed at once, whatever its id")
  func incumbent() {
    var election = election(one)
    let changed8 = election.heard(claim(Term(counter: 4, peer: three)), from: three, at: start)
    #expect(changed8)
    #expect(election.role == .following(three))
    #expect(election.term == Term(counter: 4, peer: three))
  }

  @Test("of two coordinators the one with more rolling hosts raises its term; the other follows")
  func contest() {
    var strong = election(two, hasSession: true)
    strong.candidacy.activity = .rolling
    _ = strong.advance(to: start + .seconds(1))
    let now = start + .seconds(2)
    let rival = claim(Term(counter: 7, peer: one), hosts: 9, tenure: 500)
    let changed9 = strong.heard(rival, from: one, at: now)
    #expect(changed9)
    #expect(strong.coordinator == two)
    #expect(strong.term == Term(counter: 8, peer: two))

    var weak = election(one)
    _ = weak.advance(to: start + .seconds(1))
    let changed10 = weak.heard(claim(Term(counter: 8, peer: two), rolling: 1), from: two, at: now)
    #expect(changed10)
    #expect(weak.role == .following(two))
  }

  @Test("who slept while it led follows its successor, whatever it remembers of its followers")
  func sleeper() {
    var election = election(one, hasSession: true)
    election.candidacy.activity = .rolling
    _ = election.advance(to: start + .milliseconds(700))
    let old = Term(counter: 1, peer: one)
    for peer in [two, three] { _ = election.heard(claim(old), from: peer, at: start + .seconds(1)) }
    #expect(election.standing(at: start + .seconds(1)).hostCount == 3)
    let back = start + .seconds(60)
    // What was sent before it slept is found first.
    _ = election.heard(claim(old), from: three, at: back)
    let new = claim(Term(counter: 2, peer: two), rolling: 1, hosts: 2)
    _ = election.heard(new, from: two, at: back + .milliseconds(1))
    #expect(election.role == .following(two))
    #expect(election.term == Term(counter: 2, peer: two))
  }

  @Test("a follower's claim grows old, whatever else is heard of it")
  func oldClaims() {
    var election = election(one, hasSession: true)
    _ = election.advance(to: start + .milliseconds(700))
    _ = election.heard(claim(Term(counter: 1, peer: one)), from: two, at: start + .seconds(1))
    for step in 2...6 { election.touched(two, at: start + .milliseconds(500 * Int64(step))) }
    #expect(election.standing(at: start + .milliseconds(2999)).hostCount == 2)
    #expect(election.standing(at: start + .seconds(3)).hostCount == 1)
  }

  @Test("nobody obeys a lower term after a higher")
  func lower() {
    var election = election(three)
    _ = election.heard(claim(Term(counter: 5, peer: two)), from: two, at: start)
    let changed11 = election.heard(
      claim(Term(counter: 4, peer: one)), from: one, at: start + .seconds(1))
    #expect(!changed11)
    #expect(election.role == .following(two))
    // The one that is followed dies: still the lower term is not obeyed, but exceeded.
    _ = election.heard(claim(Term(counter: 4, peer: one)), from: one, at: start + .seconds(3))
    #expect(election.term.map { $0 >= Term(counter: 5, peer: two) } ?? false)
  }

  @Test("a silent coordinator that somebody hears is not replaced")
  func vouched() {
    var election = election(two, hasSession: true)
    let term = Term(counter: 1, peer: one)
    _ = election.heard(claim(term), from: one, at: start)
    for step in 1...10 {
      let now = start + .milliseconds(500 * Int64(step))
      let changed12 = election.heard(claim(term, hears: true), from: three, at: now)
      #expect(!changed12)
    }
    #expect(election.role == .following(one))
    #expect(!election.hearsCoordinator(at: start + .seconds(5)))
    let changed13 = election.heard(
      claim(term, hears: false), from: three, at: start + .milliseconds(5500))
    #expect(changed13)
    #expect(election.coordinator == two)
  }

  @Test("a standing prevails by rolling hosts, hosts, tenure and id, in this order")
  func standings() {
    func standing(_ rolling: UInt16, _ hosts: UInt16, _ tenure: UInt32, _ peer: PeerID) -> Standing
    {
      Standing(rollingCount: rolling, hostCount: hosts, tenureSeconds: tenure, peer: peer)
    }
    #expect(standing(1, 1, 0, two).prevails(over: standing(0, 9, 99, one)))
    let guess = Standing(
      grade: .coarse, rollingCount: 9, hostCount: 9, tenureSeconds: 99, peer: one)
    #expect(standing(0, 1, 0, two).prevails(over: guess))
    #expect(!guess.prevails(over: standing(0, 1, 0, two)))
    #expect(standing(0, 3, 0, two).prevails(over: standing(0, 2, 99, one)))
    #expect(standing(0, 2, 9, two).prevails(over: standing(0, 2, 6, one)))
    #expect(!standing(0, 2, 8, two).prevails(over: standing(0, 2, 6, one)))
    #expect(standing(0, 2, 6, one).prevails(over: standing(0, 2, 8, two)))
  }

  @Test("a coordinator that guesses is not obeyed by who knows the time, but by who does not")
  func guessing() {
    let term = Term(counter: 4, peer: three)
    let guess = Claim(
      term: term, hearsCoordinator: true, grade: .guess, activity: .idle, hostCount: 1,
      rollingCount: 0, tenureSeconds: 9)
    for knows in [true, false] {
      var election = election(two, hasSession: knows)
      _ = election.heard(guess, from: three, at: start)
      _ = election.heard(guess, from: three, at: start + .milliseconds(701))
      #expect(election.coordinator == (knows ? two : three))
      #expect(election.term?.counter == (knows ? 5 : 4))
    }
    var election = election(two, hasSession: true)
    _ = election.heard(claim(term), from: three, at: start)
    #expect(election.coordinator == three)
    _ = election.heard(guess, from: three, at: start + .milliseconds(800))
    #expect(election.coordinator == two)
  }
}
