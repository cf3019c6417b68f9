internal import PeerCore
internal import Sockets
internal import Units

/// Brings the kernel's transmission stamps back to the datagrams that they are of.
///
/// The kernel loops each packet back with its stamp; counting sends instead would be off by one
/// for good after the first that failed. A driver that does not stamp leaves only the earlier
/// stamp of the queue, which is used when the other has not come for a while.
struct StampLedger {
  /// The most datagrams that wait for their stamps.
  static let mostPending = 64
  /// A stamp later than this after the call is of another time scale: the wall clock stepped.
  static let latest = Duration.milliseconds(50)
  /// How long the driver's stamp is waited for when the queue's is there.
  static let patience = Duration.milliseconds(5)

  struct Found {
    let token: SendToken
    let stamp: HostInstant
    let kind: StampKind
  }

  private struct Pending {
    let token: SendToken
    let bytes: [UInt8]
    let sent: HostInstant
    var scheduled: HostInstant?
  }

  private var pending: [Pending] = []

  /// Takes note of a datagram that is about to be sent at `now`.
  mutating func expect(_ token: SendToken, bytes: [UInt8], at now: HostInstant) {
    if pending.count == Self.mostPending { pending.removeFirst() }
    pending.append(Pending(token: token, bytes: bytes, sent: now))
  }

  /// Takes a stamp; what is known now, if it was the final one of a datagram.
  mutating func take(_ stamp: SendStamp) -> Found? {
    guard let place = pending.lastIndex(where: { stamp.isOf($0.bytes) }) else { return nil }
    let entry = pending[place]
    // Conversion to host time may err by a fraction of a microsecond.
    let delay = stamp.stamp - entry.sent
    guard delay >= .microseconds(-1), delay <= Self.latest else { return nil }
    switch stamp.kind {
    case .kernel:
      pending.remove(at: place)
      return Found(token: entry.token, stamp: stamp.stamp, kind: .kernel)
    case .scheduled:
      pending[place].scheduled = stamp.stamp
      return nil
    case .userSpace: return nil
    }
  }

  /// The datagrams for which the queue's stamp has to do.
  mutating func expire(at now: HostInstant) -> [Found] {
    var found: [Found] = []
    pending.removeAll { entry in
      guard let stamp = entry.scheduled, now - entry.sent > Self.patience else {
        return now - entry.sent > .seconds(1)
      }
      found.append(Found(token: entry.token, stamp: stamp, kind: .scheduled))
      return true
    }
    return found
  }
}
