// The host's program stops while its clock and its network card go on, as under SIGSTOP.
extension SimulatedHost {
  /// Stops the program; what arrives is kept for it.
  public func freeze() { backlog = backlog ?? [] }

  /// Lets the program go on: it finds everything that arrived, in order.
  public func thaw() {
    let due = backlog ?? []
    backlog = nil
    for action in due { action() }
  }

  /// Keeps `action` for later; whether the program is frozen.
  func postpone(_ action: @escaping () -> Void) -> Bool {
    guard backlog != nil else { return false }
    backlog?.append(action)
    return true
  }
}
