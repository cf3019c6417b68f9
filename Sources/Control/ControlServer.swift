internal import CLinux
public import EventLoop
internal import Glibc
internal import HostClock
internal import Units

/// Answers the command line on a Unix socket: a line of JSON in, a line of JSON out.
///
/// Only the user who runs the daemon is answered, root, and the members of the group `recorder`. A
/// connection carries one request; who is slow to ask, or to take the reply, loses it.
public actor ControlServer {
  /// The most connections at a time; further ones wait in the kernel.
  static let mostConnections = 32

  /// What a request gets. It runs off the event loop and may take its time.
  public typealias Handler = @Sendable (ControlRequest) async -> ControlReply

  private let loop: EventLoop
  private let socket: SocketFile
  private let handler: Handler
  private let access: ControlAccess
  private let patience: ControlPatience
  private let clock = HostClock()
  private var timer: EventLoop.Token?
  private var answers = false
  private var isStopped = false
  private var watch: EventLoop.Token?
  private var connections: [Int32: ControlConnection] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Where the daemon is asked.
  public nonisolated var path: String { socket.path }

  /// Listens at `path`; answers once ``start()`` was called. The socket is the group's too where
  /// there is a group of that name and this user may give it away.
  public init(
    path: String, loop: EventLoop, group: String = "recorder",
    patience: ControlPatience = ControlPatience(), handler: @escaping Handler
  ) throws(ControlError) {
    self.loop = loop
    self.handler = handler
    self.patience = patience
    socket = try SocketFile(listeningAt: path, group: ControlAccess.group(named: group))
    access = ControlAccess(owner: getuid(), group: socket.group)
  }

  /// Begins to answer.
  public func start() throws(EventLoop.Failure) {
    guard !isStopped else { return }
    answers = true
    try watchSocket()
  }

  /// Answers no more, and takes the socket out of the file system, also where it was not started.
  public func stop() async {
    guard !isStopped else { return }
    isStopped = true
    answers = false
    forgetSocket()
    for descriptor in Array(connections.keys) { end(descriptor) }
    if let timer { loop.forget(timer) }
    timer = nil
    await socket.remove()
  }

  /// Ends those whose time is up, and waits for the next.
  private func sweep() {
    let now = clock.now()
    let overdue = connections.filter { $0.value.deadline.map { $0 <= now } ?? false }
    for descriptor in overdue.keys.sorted() { end(descriptor) }
    setTimer()
  }

  private func setTimer() {
    guard !isStopped else { return }
    let made = timer ?? loop.makeTimer { [weak self] in self?.assumeIsolated { $0.sweep() } }
    timer = made
    loop.set(made, to: connections.values.compactMap(\.deadline).min())
  }

  private func watchSocket() throws(EventLoop.Failure) {
    guard watch == nil, answers else { return }
    watch = try loop.watch(socket.descriptor) { [weak self] _ in
      self?.assumeIsolated { $0.accept() }
    }
  }

  private func forgetSocket() {
    if let watch { loop.forget(watch) }
    watch = nil
  }

  private func accept() {
    var packet = linux_packet()
    while connections.count < Self.mostConnections {
      let descriptor = linux_accept(socket.descriptor, &packet)
      guard descriptor >= 0 else { return }
      if access.allows(descriptor) { begin(descriptor) } else { close(descriptor) }
    }
    // Watched on, those that wait would wake the loop without end.
    forgetSocket()
  }

  private func begin(_ descriptor: Int32) {
    do {
      let token = try loop.watch(descriptor) { [weak self] readiness in
        self?.assumeIsolated { $0.handle(descriptor, readiness) }
      }
      connections[descriptor] = ControlConnection(
        descriptor: descriptor, token: token, deadline: clock.now() + patience.request)
      setTimer()
    } catch {
      close(descriptor)
    }
  }

  private func handle(_ descriptor: Int32, _ readiness: Readiness) {
    guard var connection = connections[descriptor] else { return }
    let step = readiness.writable ? connection.write() : connection.read()
    connections[descriptor] = connection
    switch step {
    case .wait: loop.want(output: connection.wantsOutput, of: connection.token)
    case .end: end(descriptor)
    case .request(let line): answer(line, to: descriptor, serial: connection.token)
    }
  }

  private func answer(_ line: [UInt8], to descriptor: Int32, serial: EventLoop.Token) {
    guard let request = LineCodec.value(ControlRequest.self, of: line),
      request.hosts.count <= ControlRequest.mostHosts
    else {
      let reason = "the daemon does not understand this request; is it of another version?"
      return send(.refusal(reason: reason, exitCode: .failed), to: descriptor, serial: serial)
    }
    let handler = handler
    Task { [weak self] in
      let reply = await handler(request)
      await self?.send(reply, to: descriptor, serial: serial)
    }
  }

  /// The token tells a connection from a later one with the same descriptor.
  private func send(_ reply: ControlReply, to descriptor: Int32, serial: EventLoop.Token) {
    guard var connection = connections[descriptor], connection.token == serial else { return }
    let line = LineCodec.line(reply)
    guard line.count <= ControlReply.longestBytes else { return end(descriptor) }
    connection.queue(line, until: clock.now() + patience.reply)
    let step = connection.write()
    connections[descriptor] = connection
    if step == .end { end(descriptor) } else { loop.want(output: true, of: serial) }
    setTimer()
  }

  private func end(_ descriptor: Int32) {
    guard let connection = connections.removeValue(forKey: descriptor) else { return }
    loop.forget(connection.token)
    close(descriptor)
    // Those that wait in the kernel have room now. A loop that takes no watch has ended.
    try? watchSocket()
  }
}
