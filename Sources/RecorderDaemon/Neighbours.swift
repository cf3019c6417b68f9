internal import Avahi
internal import EventLoop
internal import HostClock
internal import PeerClock
internal import Units

/// Announces this host by Avahi, and looks for hosts of its group there, whenever Avahi's daemon
/// runs: its word crosses networks on which our own beacons do not.
///
/// It lives on a loop of its own, since the bus may keep it waiting for some seconds.
actor Neighbours {
  static let serviceType = "_recorder._udp"
  /// How often the daemon is looked for.
  private static let interval = Duration.seconds(5)

  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let endpoint: ClockEndpoint
  private let label: String
  private let look: @Sendable (PeerClockConfiguration.Seed) async -> Void
  private let clock = HostClock()
  private var directory: AvahiDirectory?
  private var timer: EventLoop.Token?
  private var watch: EventLoop.Token?
  private var isStopped = false

  /// Makes a watch that has `look` look at each place where a host of the group is said to be.
  init(
    endpoint: ClockEndpoint, label: String,
    look: @escaping @Sendable (PeerClockConfiguration.Seed) async -> Void
  ) throws(EventLoop.Failure) {
    loop = try EventLoop(name: "avahi")
    self.endpoint = endpoint
    self.label = label
    self.look = look
  }

  deinit { loop.stop() }

  func start() {
    guard !isStopped, timer == nil else { return }
    timer = loop.makeTimer { [weak self] in self?.assumeIsolated { $0.tick() } }
    tick()
  }

  func stop() {
    isStopped = true
    if let timer { loop.forget(timer) }
    timer = nil
    drop()
  }

  private func tick() {
    guard let timer else { return }
    loop.set(timer, to: clock.now() + Self.interval)
    if let directory, !directory.isCurrent { drop() }
    if directory == nil { join() }
    take()
  }

  private func join() {
    guard let found = AvahiDirectory(type: Self.serviceType) else { return }
    // What the bus brings from now on wakes us; without that the next look does.
    watch = try? loop.watch(found.descriptor) { [weak self] _ in
      self?.assumeIsolated { $0.take() }
    }
    directory = found
    let text = ["v=1", "group=\(endpoint.groupTag)", "peer=\(endpoint.peer)"]
    let name = "\(label) (\(endpoint.peer.short))"
    let isAnnounced = found.announce(name: name, port: endpoint.port, text: text)
    Diagnostics.say(
      isAnnounced
        ? "announced by Avahi as \"\(name)\""
        : "Avahi does not announce this host; hosts that it tells of are looked for all the same")
  }

  private func take() {
    guard let directory else { return }
    guard let services = directory.take() else { return drop() }
    for service in services { look(at: service) }
  }

  /// Only a hint: whoever lives there has to show the group's key like anybody else.
  private func look(at service: AvahiService) {
    guard service.value(of: "group") == endpoint.groupTag,
      service.value(of: "peer") != "\(endpoint.peer)"
    else { return }
    let isOfLink = service.address.hasPrefix("fe80:")
    let host = isOfLink ? "\(service.address)%\(service.interface)" : service.address
    let look = look
    Task { await look(.init(host: host, port: service.port)) }
  }

  private func drop() {
    if let watch { loop.forget(watch) }
    watch = nil
    directory = nil
  }
}

extension DaemonService {
  /// Where interfaces were named, Avahi is left alone: it announces on all of them.
  func startNeighbours() {
    guard options.interfaces.isEmpty else { return }
    let (clock, label) = (clock, label)
    tasks.append(
      Task {
        do {
          let endpoint = try await clock.endpoint()
          guard endpoint.isOnNetwork else { return }
          let neighbours = try Neighbours(endpoint: endpoint, label: label) { place in
            do { try await clock.look(at: place) } catch {
              Diagnostics.say("Avahi tells of a host that cannot be looked for: \(error)")
            }
          }
          guard !Task.isCancelled else { return }
          self.neighbours = neighbours
          await neighbours.start()
        } catch { say("no word of other hosts by Avahi: \(error)") }
      })
  }
}
