internal import CLinux
internal import EventLoop
internal import FileIO
internal import Glibc
internal import HostClock
internal import PeerCore
internal import Sealing
internal import Sockets
internal import Units

/// Makes a running service of a configuration.
struct ServiceMaker: Sendable {
  let configuration: PeerClockConfiguration
  let transportFactory: TransportFactory
  let topics: ClockTopics
  let readout: ClockReadout

  func make() async throws(PeerClockError) -> ClockLife.Started {
    try check()
    let seeds = try seeds()
    let systemTime = try systemTime()
    let cipher = Cipher.sealed(try keys())
    var generator = SecureGenerator(seed: try seed())
    let directory = try configuration.stateDirectory.map {
      path throws(PeerClockError) in try StateDirectory(path: path, generator: &generator)
    }
    let peer = directory?.peer ?? PeerID(from: &generator)
    let incarnation = Incarnation(
      count: directory?.incarnationCount ?? 1, nonce: UInt32(truncatingIfNeeded: generator.next()))
    let loop = try makeLoop()
    let relay = EventRelay()
    let transport = transportFactory(peer)
    let ports = try await open(transport, on: loop, relay: relay)
    var node = PeerNode(
      configuration: nodeConfiguration(
        peer: peer, incarnation: incarnation, ports: ports, cipher: cipher, seeds: seeds,
        stored: directory?.storedTime(clock: HostClock()), systemTime: systemTime),
      generator: SecureGenerator(seed: try seed()), at: HostClock().now())
    node.setChannels(ports.channels)
    _ = node.setActivity(configuration.activity, at: HostClock().now())
    let links = LinkTable(
      cipher: cipher, me: peer, incarnation: incarnation, generator: generator)
    let service = PeerClockService(
      ServiceParts(
        loop: loop, transport: transport, topics: topics, readout: readout,
        keeper: directory.map { StateKeeper(directory: $0, topics: topics) }, node: node,
        links: links))
    relay.lead(to: service)
    await service.begin()
    return ClockLife.Started(service: service, peer: peer)
  }

  private func check() throws(PeerClockError) {
    if let group = configuration.group, group.isEmpty {
      throw .configuration(reason: "a group has a name and a passphrase; neither may be empty")
    }
    if let interval = configuration.syncInterval, interval <= .zero {
      throw .configuration(reason: "the sync interval must be longer than nothing")
    }
  }

  private func keys() throws(PeerClockError) -> GroupKeys {
    guard let group = configuration.group else { return GroupKeys(root: try UserKey.load()) }
    switch group.secret {
    case .key(let bytes):
      guard let root = SecretKey(bytes) else {
        throw .configuration(reason: "a group's key has \(SecretKey.length) bytes")
      }
      return GroupKeys(root: root)
    case .stretched(let root): return GroupKeys(group: group.name, stretched: root)
    case .passphrase(let passphrase):
      do { return try GroupKeys(group: group.name, passphrase: passphrase) } catch {
        throw .system(reason: error.description)
      }
    }
  }

  private func seed() throws(PeerClockError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SecretKey.length)
    let status = linux_random(&bytes, bytes.count)
    guard status >= 0 else {
      throw .system(
        reason: "the kernel gives no random bytes: \(SystemFailure(code: -status))")
    }
    return bytes
  }

  private func makeLoop() throws(PeerClockError) -> EventLoop {
    do { return try EventLoop(name: "peer clock") } catch {
      throw .system(reason: error.description)
    }
  }

  private func open(
    _ transport: any PeerTransport, on loop: EventLoop, relay: EventRelay
  ) async throws(PeerClockError) -> TransportPorts {
    let result = await withCheckedContinuation { continuation in
      loop.perform {
        let result: Result<TransportPorts, PeerClockError>
        do throws(PeerClockError) {
          result = .success(try transport.open(on: loop) { relay.pass($0) })
        } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    // No service will own the loop.
    if case .failure = result { loop.stop() }
    return try result.get()
  }

  private func nodeConfiguration(
    peer: PeerID, incarnation: Incarnation, ports: TransportPorts, cipher: Cipher,
    seeds: [PathAddress], stored: StoredTime?,
    systemTime: SystemTimeSource?
  ) -> PeerNodeConfiguration {
    PeerNodeConfiguration(
      peer: peer, incarnation: incarnation, label: configuration.label,
      software: configuration.software, unicastPort: ports.unicast, reliablePort: ports.reliable,
      cipher: cipher, seeds: seeds, syncInterval: configuration.syncInterval,
      stored: stored, wall: Self.wall(),
      systemTime: systemTime)
  }

  /// What a wall clock may be off by that nobody keeps right.
  private static let freeError: Int64 = 1_000_000_000

  private func systemTime() throws(PeerClockError) -> SystemTimeSource? {
    guard case .system(let anchor, let offset) = configuration.timeSource else { return nil }
    guard
      let source = SystemTimeSource(anchorUnixNanoseconds: anchor, utcOffsetSeconds: offset)
    else {
      throw .configuration(
        reason: "the anchor of system time is a UTC midnight from 2017 to 2100, and its offset "
          + "from UTC 14 hours at most")
    }
    return source
  }

  private func seeds() throws(PeerClockError) -> [PathAddress] {
    var paths: [PathAddress] = []
    for seed in configuration.seeds { paths.append(try PathAddress(seed)) }
    return paths
  }

  /// What the wall clock says; its error is the kernel's, and taken for a second where nobody
  /// vouches for it.
  static func wall() -> WallReading {
    let sandwich = HostClock().sandwich()
    var seconds = time_t(sandwich.otherNanoseconds / 1_000_000_000)
    var civil = tm()
    let offset = localtime_r(&seconds, &civil) == nil ? 0 : Int32(clamping: civil.tm_gmtoff)
    let discipline = Discipline.current()
    return WallReading(
      unixNanoseconds: sandwich.otherNanoseconds,
      errorNanoseconds: discipline?.isSynchronized == true
        ? discipline?.maximumErrorNanoseconds ?? Self.freeError : Self.freeError,
      utcOffsetSeconds: offset, host: sandwich.host)
  }
}
