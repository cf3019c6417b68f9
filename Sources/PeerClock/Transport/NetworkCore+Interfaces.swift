internal import EventLoop
internal import HostClock
internal import Sockets
internal import Units

extension NetworkCore {
  /// Joins the group wherever that can be. Nowhere is no failure: the host keeps its own time,
  /// takes what comes from peers that were told of it, and looks again.
  func join(_ interfaces: [NetworkInterface], of all: [NetworkInterface]) {
    guard let open else { return }
    for interface in interfaces where channels[ChannelID(interface)] == nil {
      // Beyond the other end of a tunnel nobody hears a group.
      guard interface.isLoopback || interface.supportsMulticast && !interface.isPointToPoint
      else { continue }
      do throws(SocketError) {
        channels[ChannelID(interface)] = try MulticastChannel(
          interface: interface, groups: open.groups, loop: open.loop, wake: open.wake)
      } catch { continue }
    }
    self.open?.own = Set(all.map(\.address))
    allowOnly(interfaces)
  }

  /// Datagrams from other interfaces are not taken where interfaces were named. What this host
  /// sends itself comes in by loopback, whatever address it goes to.
  private func allowOnly(_ interfaces: [NetworkInterface]) {
    guard !settings.wish.names.isEmpty else { return }
    open?.allowed = Set(interfaces.map(\.index)).union([1])
  }

  /// The kernel told of a change. Several come together: they are looked at at once, soon.
  func noticeRoutes() {
    guard let open else { return }
    open.routes?.drain()
    if let rescan = open.rescan { open.loop.set(rescan, to: clock.now() + Self.rescanDelay) }
  }

  func rescan() {
    guard let open else { return }
    if let rescan = open.rescan { open.loop.set(rescan, to: clock.now() + Self.rescanInterval) }
    // A failed look is repeated by the next.
    guard let all = try? NetworkInterface.all(),
      let interfaces = try? InterfaceChoice.choose(settings.wish, of: all)
    else { return }
    let before = channels.keys.sorted()
    let present = Dictionary(
      interfaces.map { (ChannelID($0), $0.address) }, uniquingKeysWith: { first, _ in first })
    for (id, channel) in channels where present[id] != channel.address {
      open.loop.forget(channel.token)
      channels[id] = nil
    }
    join(interfaces, of: all)
    if channels.keys.sorted() != before { open.events(.channels(channels.count)) }
  }
}
