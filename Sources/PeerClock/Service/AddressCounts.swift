internal import PeerCore
internal import Sockets

/// How often links brought something from each of the last addresses that it came from.
struct AddressCounts: Sendable {
  /// The most addresses that are told apart.
  static let most = 64

  private var counts: [PathAddress: UInt64] = [:]

  mutating func count(_ path: PathAddress) {
    // The port of a sender says nothing about who it is, and is another after each start.
    let place = PathAddress(interface: path.interface, address: path.address, port: 0)
    guard counts[place] != nil || counts.count < Self.most else { return }
    counts[place, default: 0] += 1
  }

  /// The counts by numeric address.
  var byAddress: [String: UInt64] {
    var result: [String: UInt64] = [:]
    for (path, count) in counts { result[SocketAddress(path).host, default: 0] += count }
    return result
  }
}
