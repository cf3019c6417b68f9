import PeerCore
import TestLanes
import Testing
import Units

@Suite("Lost probes", .computing)
struct ProbeLossTests {
  private let peer = PeerID(high: 1, low: 2)

  @Test("the share of the latest, once there are enough to tell")
  func share() {
    var loss = ProbeLoss()
    for _ in 0..<ProbeLoss.least - 1 { loss.note(isLost: true) }
    #expect(loss.share == nil)
    loss.note(isLost: false)
    #expect(loss.share == 7.0 / 8)
    for _ in 0..<ProbeLoss.span { loss.note(isLost: false) }
    #expect(loss.share == 0)
  }

  @Test("a probe is lost when no reply came within two seconds, and a late reply does not undo it")
  func prober() throws {
    var prober = Prober(interval: .seconds(1), at: HostInstant(nanoseconds: 0))
    prober.aim(at: peer, now: HostInstant(nanoseconds: 0))
    var probes: [Probe] = []
    for step in 0..<400 {
      let now = HostInstant(nanoseconds: Int64(step) * 10_000_000)
      guard let due = prober.takeDue(at: now, token: UInt64(step), jitter: 0.5) else { continue }
      probes.append(due.probe)
      // Every fourth stays without a reply.
      guard probes.count % 4 != 0 else { continue }
      reply(to: due.probe, at: now + .milliseconds(1), &prober)
    }
    let late = HostInstant(nanoseconds: 8_000_000_000)
    _ = prober.takeDue(at: late, token: 1000, jitter: 0.5)
    let share = try #require(prober.loss.share)
    #expect(abs(share - 0.25) < 0.02, "\(share) of \(probes.count)")
    reply(to: probes[3], at: late, &prober)
    #expect(prober.loss.share == share)
  }

  private func reply(to probe: Probe, at now: HostInstant, _ prober: inout Prober) {
    _ = prober.received(
      ProbeReply(
        id: probe.id, echoedTransmit: probe.transmit, receive: now, receiveKind: .kernel,
        transmit: now, stamps: [], term: nil, map: nil),
      from: peer, stamp: now, kind: .kernel)
  }
}
