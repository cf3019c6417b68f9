internal import PeerCore
internal import Units

/// Carries datagrams and connections between hosts: late, twice, or not at all.
final class Network {
  let world: World
  var conditions: NetworkConditions { didSet { noteChange() } }
  private(set) var hosts: [SimulatedHost] = []
  /// What each host's line adds, by the host's number.
  var outgoing: [Int: Burden] = [:]
  var incoming: [Int: Burden] = [:]
  /// How many networks lie side by side; each host has a card for each.
  let lines: Int
  /// What each of them adds to every packet's delay, by its number.
  var lineBurdens: [Int: Burden] = [:]
  private var pulled: Set<Cable> = []
  /// Whether hosts keep what their users saw.
  let keepsRecord: Bool
  /// Whoever else wants to see it.
  var observer: ((SimulatedHost, PeerAction) -> Void)?
  /// When a host last came or went, or the network became another, in true nanoseconds.
  private(set) var lastChange: Int64 = 0
  /// Whether anything is cut; then of each pair of hosts, in rows, whether it is: that is asked for
  /// each packet.
  private var isWhole = true
  private var cuts: [Bool] = []

  /// A host's card on one of the networks.
  private struct Cable: Hashable {
    let host: Int
    let line: Int
  }

  init(world: World, conditions: NetworkConditions, lines: Int, keepsRecord: Bool) {
    precondition((1...8).contains(lines), "hosts have 1 to 8 cards, not \(lines)")
    self.world = world
    self.lines = lines
    self.conditions = conditions
    self.keepsRecord = keepsRecord
  }

  func add(_ host: SimulatedHost) { hosts.append(host) }

  /// Lets go of the hosts, which hold on to the network.
  func dissolve() {
    for host in hosts { host.dissolve() }
    hosts = []
    observer = nil
  }

  func noteChange() { lastChange = world.nanoseconds }

  func cut(_ one: Int, _ other: Int) {
    if isWhole { cuts = Array(repeating: false, count: hosts.count * hosts.count) }
    isWhole = false
    cuts[one * hosts.count + other] = true
    cuts[other * hosts.count + one] = true
    noteChange()
  }

  func mendAll() {
    isWhole = true
    cuts = []
    noteChange()
  }

  /// Whether nothing passes between two hosts: the network is cut, or one of them sleeps.
  func isCut(_ one: Int, _ other: Int) -> Bool {
    (!isWhole && cuts[one * hosts.count + other]) || hosts[one].isSuspended
      || hosts[other].isSuspended
  }

  /// Whether nothing passes between two hosts on one of the networks.
  func isCut(_ one: Int, _ other: Int, line: Int) -> Bool {
    isCut(one, other) || pulled.contains(Cable(host: one, line: line))
      || pulled.contains(Cable(host: other, line: line))
  }

  func pull(_ host: Int, line: Int) {
    pulled.insert(Cable(host: host, line: line))
    noteChange()
  }

  func plug(_ host: Int, line: Int) {
    pulled.remove(Cable(host: host, line: line))
    noteChange()
  }

  /// The host at an address: its last two bytes are the host's number.
  func host(at path: PathAddress) -> SimulatedHost? {
    guard path.address.count == 4 else { return nil }
    let number = Int(path.address[2]) << 8 | Int(path.address[3])
    return number < hosts.count ? hosts[number] : nil
  }

  static func path(
    of number: Int, line: Int = 0, port: UInt16 = datagramPort
  ) -> PathAddress {
    let bytes = UInt16(truncatingIfNeeded: number)
    return PathAddress(
      interface: 1 + UInt32(line),
      address: [10, UInt8(line), UInt8(bytes >> 8), UInt8(bytes & 0xFF)], port: port)
  }

  /// Which of the networks an address belongs to.
  static func line(of path: PathAddress) -> Int { Int(path.address[1]) }

  static let datagramPort: UInt16 = 4000
  static let reliablePort: UInt16 = 4001

  /// Lets a datagram that leaves at `departure`, in true nanoseconds, arrive where it may.
  func send(
    _ bytes: [UInt8], from: Int, to: SimulatedHost, line: Int, isMulticast: Bool, departure: Int64
  ) {
    guard !isCut(from, to.number, line: line) else { return }
    if world.random() < conditions.loss { return }
    let copies = world.random() < conditions.duplicates ? 2 : 1
    for _ in 0..<copies {
      var arrival = departure + delay(from: from, to: to.number, line: line)
      if world.random() < conditions.reordered {
        arrival += Int64(world.exponential(mean: Self.meanHoldUp))
      }
      world.schedule(
        atNanoseconds: arrival + processingDelay(),
        Arrival(
          host: to, bytes: bytes, sender: from, line: line, isMulticast: isMulticast,
          instant: arrival))
    }
  }

  /// The mean time by which a packet is held up that others are to overtake, in nanoseconds.
  static let meanHoldUp = 60e6

  /// How long a packet is under way, in nanoseconds.
  func delay(from: Int, to: Int?, line: Int = 0) -> Int64 {
    var delay = conditions.delay + world.exponential(mean: conditions.jitter)
    if outgoing.isEmpty && incoming.isEmpty && lineBurdens.isEmpty { return Int64(delay) }
    for burden in [outgoing[from], to.flatMap { incoming[$0] }, lineBurdens[line]].compactMap(
      \.self)
    {
      delay += burden.delay + world.exponential(mean: burden.jitter)
    }
    return Int64(delay)
  }

  /// What lies between a packet's arrival and the program's turn, in nanoseconds.
  func processingDelay() -> Int64 { 8_000 + Int64(world.exponential(mean: 10_000)) }

  /// What lies between the program's call and a packet's departure, in nanoseconds.
  func sendingDelay() -> Int64 { 4_000 + Int64(world.exponential(mean: 4_000)) }
}
