internal import HostClock
internal import PeerCore
internal import Sockets
internal import Units

extension PeerClockService {
  /// How well the clock is doing now.
  func diagnostics(of peer: PeerID) -> ClockDiagnostics {
    var figures = ClockDiagnostics()
    figures.peer = peer
    let now = clock.now()
    let status = node.syncStatus(at: now)
    figures.hostNanoseconds = now.nanoseconds
    figures.lastExchangeNanoseconds = status.lastExchange?.nanoseconds
    figures.coordinator = status.coordinator
    figures.isCoordinator = status.isCoordinator
    figures.session = node.session?.id
    figures.offsetNanoseconds = status.offset?.nanoseconds
    figures.offsetBoundNanoseconds = status.offset?.boundNanoseconds
    figures.jitterBoundNanoseconds = status.map?.jitterBoundNanoseconds(at: now)
    figures.pathLimitNanoseconds = status.map?.pathLimitNanoseconds
    figures.skewPartsPerMillion = status.map?.skew.partsPerMillion
    figures.floorRoundTripNanoseconds = status.floorRoundTripNanoseconds
    figures.exchanges = status.exchangeCount
    figures.loss = status.loss
    figures.isOnSystemTime = status.isOnSystemTime
    figures.disagreementNanoseconds = status.disagreementNanoseconds
    figures.disagreementBoundNanoseconds = status.disagreementBoundNanoseconds
    figures.stamp = status.stampKind?.word
    if let leader = node.peers.first(where: { $0.peer == status.coordinator }) {
      figures.path = leader.path.description
      figures.interface = NetworkInterface.name(of: leader.path.interface)
      figures.paths = leader.pathCount
    }
    figures.refusals = node.refusals.byReason.merging(linkRefusals.byReason, uniquingKeysWith: +)
    figures.wrongKeyByAddress = wrongKeys.byAddress
    for (path, count) in node.wrongKeys {
      figures.wrongKeyByAddress[SocketAddress(path).host, default: 0] += count
    }
    figures.droppedEvents = topics.dropped
    let heard = node.peers.filter { $0.liveness != .disconnected }
    figures.unlinked = heard.filter { !$0.hasLink }.map(\.peer)
    if !heard.isEmpty { figures.isMulticastHeard = heard.contains(where: \.isHeardByMulticast) }
    return figures
  }
}
