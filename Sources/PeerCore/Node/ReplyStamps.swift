public import Units

/// Keeps, for each peer that probes this host, when the last replies to it left.
///
/// A reply cannot carry the kernel's stamp of itself: it carries those of the last four before it.
public struct ReplyStamps: Sendable {
  /// The most replies whose stamps are waited for.
  static let mostAwaited = 256

  private struct Awaited: Sendable {
    let token: UInt64
    let peer: PeerID
    let probe: UInt32
    let sent: HostInstant
  }

  private var awaited: [Awaited] = []
  private var known: [PeerID: [ProbeReply.TransmitStamp]] = [:]

  /// Begins with no stamps.
  public init() {}

  /// The stamps for the next reply to `peer`.
  public func stamps(for peer: PeerID) -> [ProbeReply.TransmitStamp] { known[peer] ?? [] }

  /// Takes note that the reply to `probe` of `peer` is about to be sent under `token`.
  public mutating func sending(
    _ token: UInt64, to peer: PeerID, probe: UInt32, at now: HostInstant
  ) {
    if awaited.count >= Self.mostAwaited { awaited.removeFirst() }
    awaited.append(Awaited(token: token, peer: peer, probe: probe, sent: now))
  }

  /// Takes in when the datagram of `token` left; whether it was a reply.
  public mutating func transmitted(
    _ token: UInt64, stamp: HostInstant, kind: StampKind
  ) -> Bool {
    guard let place = awaited.firstIndex(where: { $0.token == token }) else { return false }
    let reply = awaited.remove(at: place)
    guard Prober.isPlausible(stamp, sent: reply.sent) else { return true }
    let stamp = ProbeReply.TransmitStamp(probe: reply.probe, instant: stamp, kind: kind)
    known[reply.peer] = Array(
      ((known[reply.peer] ?? []) + [stamp]).suffix(ProbeReply.transmitStampSlots))
    return true
  }

  /// Forgets `peer`.
  public mutating func forget(_ peer: PeerID) {
    known[peer] = nil
    awaited.removeAll { $0.peer == peer }
  }
}
