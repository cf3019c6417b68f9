internal import PeerCore
internal import Units

/// Carries datagrams and connections between hosts: late, twice, or not at all.
final class Network {
  let world: World
  var conditions: NetworkConditions
  private(set) var hosts: [SimulatedHost] = []
  private var cuts: Set<Pair> = []

  private struct Pair: Hashable {
    let low: Int
    let high: Int

    init(_ one: Int, _ other: Int) {
      low = min(one, other)
      high = max(one, other)
    }
  }

  init(world: World, conditions: NetworkConditions) {
    self.world = world
    self.conditions = conditions
  }

  func add(_ host: SimulatedHost) { hosts.append(host) }

  func cut(_ one: Int, _ other: Int) { cuts.insert(Pair(one, other)) }

  func mend(_ one: Int, _ other: Int) { cuts.remove(Pair(one, other)) }

  func mendAll() { cuts = [] }

  func isCut(_ one: Int, _ other: Int) -> Bool { cuts.contains(Pair(one, other)) }

  /// The host at an address: its last byte is the host's number.
  func host(at path: PathAddress) -> SimulatedHost? {
    guard path.address.count == 4, let last = path.address.last else { return nil }
    return hosts.first { $0.number == Int(last) }
  }

  static func path(of number: Int, port: UInt16 = datagramPort) -> PathAddress {
    PathAddress(
      interface: 1, address: [10, 0, 0, UInt8(truncatingIfNeeded: number)], port: port)
  }

  static let datagramPort: UInt16 = 4000
  static let reliablePort: UInt16 = 4001

  /// Lets a datagram that leaves at `departure`, in true nanoseconds, arrive where it may.
  func send(_ bytes: [UInt8], from: Int, to: SimulatedHost, isMulticast: Bool, departure: Int64) {
    guard !isCut(from, to.number) else { return }
    if world.random() < conditions.loss { return }
    let copies = world.random() < conditions.duplicates ? 2 : 1
    for _ in 0..<copies {
      let arrival = departure + delay()
      world.schedule(atNanoseconds: arrival + processingDelay()) {
        to.receive(bytes, from: from, isMulticast: isMulticast, arrival: arrival)
      }
    }
  }

  func delay() -> Int64 {
    Int64(conditions.delay + world.exponential(mean: conditions.jitter))
  }

  /// What lies between a packet's arrival and the program's turn, in nanoseconds.
  func processingDelay() -> Int64 { 8_000 + Int64(world.exponential(mean: 10_000)) }

  /// What lies between the program's call and a packet's departure, in nanoseconds.
  func sendingDelay() -> Int64 { 4_000 + Int64(world.exponential(mean: 4_000)) }
}
