internal import PeerCore
internal import Units

/// One end of a reliable connection: bytes arrive whole and in order, however late.
final class ConnectionEnd {
  unowned let host: SimulatedHost
  private let network: Network
  var link: ReliableLink
  /// The end at the other host, until one of the two is closed or lost. Not weak: of whatever is
  /// referred to so each counting of references takes many times as long.
  var other: ConnectionEnd?
  private(set) var isOpen = true
  /// On which of the networks it runs.
  let line: Int
  /// Which peer is at the other end; for a dialler from the beginning.
  var peer: PeerID?
  private var lastArrival: Int64 = 0
  private var waiting: [[UInt8]] = []

  init(host: SimulatedHost, network: Network, link: ReliableLink, peer: PeerID?, line: Int) {
    self.host = host
    self.network = network
    self.link = link
    self.peer = peer
    self.line = line
  }

  /// Sends bytes to the other end. While the network is cut they wait, as with real connections.
  func write(_ bytes: [UInt8]) {
    guard isOpen, let other else { return }
    host.traffic.wrote(bytes.count)
    let delay =
      network.delay(from: host.number, to: other.host.number) + network.processingDelay()
    // A lost segment is sent again after some 200 ms.
    let late: Int64 = network.world.random() < network.conditions.loss ? 200_000_000 : 0
    lastArrival = max(lastArrival + 1, network.world.nanoseconds + delay + late)
    deliver(bytes, to: other, at: lastArrival)
  }

  private func deliver(_ bytes: [UInt8], to other: ConnectionEnd, at time: Int64) {
    network.world.schedule(atNanoseconds: time) { [self] in
      guard isOpen, other.isOpen else { return }
      if network.isCut(host.number, other.host.number, line: line) || !waiting.isEmpty {
        waiting.append(bytes)
        if waiting.count == 1 { retry() }
      } else {
        other.host.receive(bytes, on: other)
      }
    }
  }

  private func retry() {
    network.world.schedule(at: network.world.now + .milliseconds(200)) { [self] in
      guard isOpen, let other else { return }
      guard !network.isCut(host.number, other.host.number, line: line) else { return retry() }
      let due = waiting
      waiting = []
      for bytes in due where other.isOpen { other.host.receive(bytes, on: other) }
    }
  }

  /// The host fails, and this end with it: nobody tells the other one. What was under way is lost.
  func lose() {
    isOpen = false
    other?.other = nil
    other = nil
  }

  /// Closes this end, and the other one as soon as it can hear of it.
  func close() {
    guard isOpen else { return }
    let other = other
    lose()
    guard let other else { return }
    let delay = network.delay(from: host.number, to: other.host.number)
    let time = max(lastArrival + 1, network.world.nanoseconds + delay)
    other.hearClosing(from: host.number, at: time)
  }

  /// The other end, at host `number`, has closed: its kernel says so until it is heard.
  private func hearClosing(from number: Int, at time: Int64) {
    network.world.schedule(atNanoseconds: time) { [self] in
      guard isOpen else { return }
      guard !network.isCut(number, host.number, line: line) else {
        return hearClosing(from: number, at: time + 200_000_000)
      }
      isOpen = false
      host.closed(self)
    }
  }
}
