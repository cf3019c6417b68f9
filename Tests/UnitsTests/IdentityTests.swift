import TestLanes
import Testing
import Units

@Suite("Identities and instants", .computing)
struct IdentityTests {
  @Test("an id is read back from its 32 digits")
  func digits() {
    let peer = PeerID(high: 0x0123_4567_89ab_cdef, low: 0xff)
    #expect(peer.description == "0123456789abcdef00000000000000ff")
    #expect(PeerID(peer.description) == peer)
    #expect(peer.short == "0123")
  }

  @Test(
    "what is not 32 hexadecimal digits is refused",
    arguments: ["", "0", "g123456789abcdef00000000000000ff", "0123456789abcdef00000000000000ff0"])
  func refused(text: String) { #expect(PeerID(text) == nil) }

  @Test("ids are ordered as numbers")
  func order() {
    #expect(PeerID(high: 1, low: 0) > PeerID(high: 0, low: .max))
  }

  @Test("a shared instant is refused one nanosecond beyond its limit")
  func limit() {
    #expect(SharedInstant(checking: SharedInstant.limit)?.nanoseconds == 1 << 62)
    #expect(SharedInstant(checking: SharedInstant.limit + 1) == nil)
    #expect(SharedInstant(checking: -SharedInstant.limit - 1) == nil)
  }

  @Test("a civil time goes to shared time and back")
  func civil() {
    let session = Session(
      id: SessionID(high: 0, low: 1), anchorUnixNanoseconds: 1_800_000_000_000_000_000,
      anchorErrorNanoseconds: 0, utcOffsetSeconds: 3600)
    let instant = SharedInstant.sessionStart + .milliseconds(1500)
    #expect(session.unixNanoseconds(at: instant) == 1_800_000_001_500_000_000)
    #expect(session.instant(atUnixNanoseconds: 1_800_000_001_500_000_000) == instant)
  }
}
