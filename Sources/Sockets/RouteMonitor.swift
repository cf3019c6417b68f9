internal import CLinux

/// Tells when this host's interfaces or their addresses have changed.
public struct RouteMonitor: Sendable {
  private let handle: Descriptor

  /// The descriptor, for an event loop to watch.
  public var descriptor: Int32 { handle.number }

  /// Begins to listen to the kernel. The corresponding socket is one of `NETLINK_ROUTE`.
  public init() throws(SocketError) {
    handle = Descriptor(try check(linux_route_monitor(), "socket", "the kernel's routes"))
  }

  /// Takes note of what has changed: the interfaces are to be looked at.
  public func drain() { _ = linux_drain(handle.number) }
}
