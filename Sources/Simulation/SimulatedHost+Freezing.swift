internal import PeerCore
public import Units

// The host's program stops while its clock and its network card go on, as under SIGSTOP.
extension SimulatedHost {
  /// Stops the program; what arrives is kept for it.
  public func freeze() {
    guard isAwake else { return }
    network.noteChange()
    condition = .frozen(backlog: [])
  }

  /// Lets the program go on: it finds everything that arrived, in order.
  public func thaw() {
    guard case .frozen(let due) = condition else { return }
    network.noteChange()
    condition = .running
    for action in due { action() }
  }

  /// Keeps `action` for later, or for never; whether the program has no turn now.
  func postpone(_ action: @escaping () -> Void) -> Bool {
    switch condition {
    case .running: return false
    case .suspended: return true
    case .frozen(var backlog):
      condition = .running
      backlog.append(action)
      condition = .frozen(backlog: backlog)
      return true
    }
  }
}

// The host sleeps, boots, and is disciplined.
extension SimulatedHost {
  /// Whether the host sleeps: nothing reaches it.
  var isSuspended: Bool {
    if case .suspended = condition { true } else { false }
  }

  /// The host falls asleep: its clock stands still, and what comes for it is lost.
  public func suspend() {
    guard isAwake else { return }
    network.noteChange()
    forgetWakeup()
    changeClocks { $0.suspend(at: network.world.nanoseconds) }
    condition = .suspended
    epoch += 1
  }

  /// The host wakes, and its program learns that it slept, as the shell tells it.
  public func resume() {
    guard isSuspended else { return }
    network.noteChange()
    wakeUp()
    let wall = wall
    use { node, now in node.hostSlept(wall: wall, at: now) }
    wake()
  }

  /// The clock goes on, where it stood still: nothing can happen to a host that sleeps.
  func wakeUp() {
    guard isSuspended else { return }
    changeClocks { $0.resume(at: network.world.nanoseconds) }
    condition = .running
  }

  /// The power fails, and `outage` later the host boots and starts its program.
  public func reboot(after outage: Duration) {
    guard !isBooting else { return }
    stop(crash: true)
    isBooting = true
    network.world.schedule(at: network.world.now + outage) { [unowned self] in
      isBooting = false
      changeClocks { $0.boot(at: network.world.nanoseconds) }
      epoch += 1
      start(remembering: true)
    }
  }

  /// REALTIME runs by `rate` faster than the crystal from now on: somebody slews it.
  public func slewWall(to rate: ClockRate) {
    changeClocks { $0.bend(to: rate, at: network.world.nanoseconds) }
  }

  /// REALTIME is set by `change`, forward or back.
  public func stepWall(by change: Duration) {
    changeClocks { $0.step(by: change.wholeNanoseconds, at: network.world.nanoseconds) }
  }
}
