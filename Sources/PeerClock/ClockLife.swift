internal import EventLoop
internal import Synchronization
internal import Units

/// From a clock's making to its end: which service there is, and what was asked before.
final class ClockLife: Sendable {
  private enum Phase {
    case idle(statuses: [String: [UInt8]])
    case starting(Task<Result<Started, PeerClockError>, Never>, statuses: [String: [UInt8]])
    case running(Started)
    case stopped(Started?)
  }

  /// A service that runs, and who this host is.
  struct Started: Sendable {
    let service: PeerClockService
    let peer: PeerID
  }

  /// The most values that wait for the start.
  private static let mostStatuses = 64

  let topics = ClockTopics()
  let readout = ClockReadout()
  private let configuration: PeerClockConfiguration
  private let transportFactory: TransportFactory
  private let phase = Mutex(Phase.idle(statuses: [:]))

  init(configuration: PeerClockConfiguration, transportFactory: @escaping TransportFactory) {
    self.configuration = configuration
    self.transportFactory = transportFactory
  }

  /// Whether other machines are to be reached at all.
  var isOnNetwork: Bool { configuration.group != nil }

  /// The service and this host's id, from the start on, also after the stop.
  var known: (PeerClockService, PeerID)? {
    phase.withLock { phase in
      switch phase {
      case .running(let started), .stopped(.some(let started)): (started.service, started.peer)
      case .idle, .starting, .stopped(nil): nil
      }
    }
  }

  /// A host whose twin keeps the id goes on under another.
  var localPeer: PeerID? { known.map { readout.contents.me ?? $0.1 } }

  func start() async throws(PeerClockError) {
    let started = try await started(beginning: true)
    await started.service.waitUntilReadable()
    // It may have been stopped while this waited.
    if await started.service.isStopped { throw .stopped }
  }

  /// The running service; while it starts, this waits.
  func service() async throws(PeerClockError) -> PeerClockService {
    try await started(beginning: false).service
  }

  func stop() {
    let started = phase.withLock { phase -> Started? in
      switch phase {
      case .running(let started):
        phase = .stopped(started)
        return started
      case .idle, .starting:
        // Whoever starts it looks at the phase again, and stops what it has made.
        phase = .stopped(nil)
        return nil
      case .stopped: return nil
      }
    }
    topics.finish()
    guard let service = started?.service else { return }
    service.loop.perform { service.assumeIsolated { $0.stop() } }
  }

  func finish() async {
    let starting = phase.withLock { phase -> Task<Result<Started, PeerClockError>, Never>? in
      if case .starting(let task, _) = phase { return task }
      return nil
    }
    stop()
    if let starting, case .success(let started) = await starting.value {
      await started.service.finish()
    }
    if let (service, _) = known { await service.finish() }
  }

  /// Sets a value now, or at the start.
  func setStatus(_ value: [UInt8], forKey key: String) async -> Bool {
    let kept = phase.withLock { phase -> Bool? in
      guard case .idle(var statuses) = phase else { return nil }
      guard statuses[key] != nil || statuses.count < Self.mostStatuses else { return false }
      statuses[key] = value
      phase = .idle(statuses: statuses)
      return true
    }
    if let kept { return kept }
    do {
      try await service().setStatus(value, forKey: key)
      return true
    } catch { return false }
  }

  func removeStatus(forKey key: String) async {
    phase.withLock { phase in
      guard case .idle(var statuses) = phase else { return }
      statuses[key] = nil
      phase = .idle(statuses: statuses)
    }
    if let (service, _) = known { await service.removeStatus(forKey: key) }
  }

  private func started(beginning: Bool) async throws(PeerClockError) -> Started {
    let task = try phase.withLock {
      phase throws(PeerClockError) -> Task<Result<Started, PeerClockError>, Never> in
      switch phase {
      case .idle(let statuses):
        guard beginning else { throw .notStarted }
        let task = begin()
        phase = .starting(task, statuses: statuses)
        return task
      case .starting(let task, _): return task
      case .running(let started): return Task { .success(started) }
      case .stopped: throw .stopped
      }
    }
    switch await task.value {
    case .success(let started): return try await settle(started)
    case .failure(let error):
      // A start that failed may be tried again.
      phase.withLock { phase in
        if case .starting(_, let statuses) = phase { phase = .idle(statuses: statuses) }
      }
      throw error
    }
  }

  /// The first to see that the service is there makes it known.
  private func settle(_ started: Started) async throws(PeerClockError) -> Started {
    let statuses = phase.withLock { phase -> [String: [UInt8]]? in
      switch phase {
      case .starting(_, let statuses):
        phase = .running(started)
        return statuses
      case .running: return [:]
      case .idle, .stopped: return nil
      }
    }
    guard let statuses else {
      await started.service.stop()
      throw .stopped
    }
    for (key, value) in statuses.sorted(by: { $0.key < $1.key }) {
      try await started.service.setStatus(value, forKey: key)
    }
    return started
  }

  private func begin() -> Task<Result<Started, PeerClockError>, Never> {
    let maker = ServiceMaker(
      configuration: configuration, transportFactory: transportFactory, topics: topics,
      readout: readout)
    return Task.detached {
      do throws(PeerClockError) { return .success(try await maker.make()) } catch {
        return .failure(error)
      }
    }
  }
}
