internal import CLinux
internal import Glibc
public import HostClock
public import Units

/// A socket for datagrams that tells, as exactly as the kernel can, when they came and left.
public struct UDPSocket: Sendable {
  /// The longest datagram that is read whole.
  public static let longestDatagram = 2048

  /// How much may wait to be read, in bytes; the kernel may allow less.
  static let receiveRoomBytes: Int32 = 1 << 20

  private let handle: Descriptor
  private let clock: HostClock
  public let family: Int32
  /// The port that the socket is bound to.
  public let port: UInt16

  /// The descriptor, for an event loop to watch.
  public var descriptor: Int32 { handle.number }

  /// Opens a socket of `family` (4 or 6) on `port` (0: any free one) and `address` (nothing: any).
  ///
  /// A `shared` port may be bound by several sockets at once, as a multicast port must be. An
  /// address that is good on its link only needs its `interface`.
  public init(
    family: Int32, address: [UInt8] = [], port: UInt16, shared: Bool = false, interface: UInt32 = 0,
    clock: HostClock = HostClock()
  ) throws(SocketError) {
    let subject = "UDP port \(port)"
    handle = Descriptor(try check(linux_socket(family, false), "socket", subject))
    self.family = family
    self.clock = clock
    if shared { try check(linux_set_reuse_address(handle.number), "setsockopt", subject) }
    try check(
      linux_bind(handle.number, family, address, UInt32(address.count), port, interface),
      "bind", subject)
    self.port = UInt16(
      truncatingIfNeeded: try check(linux_bound_port(handle.number), "getsockname", subject))
    // With the usual room, 3 ms of a flood would displace all else.
    _ = linux_set_receive_room(handle.number, Self.receiveRoomBytes)
    // A network that refuses the class or the stamps still carries packets.
    _ = linux_set_expedited(handle.number, family)
  }

  /// Asks for the kernel's stamps of what comes; and of what leaves, up to the kind `sending`:
  /// none for `userSpace`. Whether it gives those of what comes.
  public func enableStamps(sending: PacketStampKind) -> Bool {
    let scheduled = sending != .userSpace
    let software = sending == .kernel
    if linux_enable_stamps(handle.number, scheduled, software) >= 0 { return true }
    return scheduled && linux_enable_stamps(handle.number, false, false) >= 0
  }

  /// Joins a multicast group on one interface and hears that interface only.
  public func join(group: [UInt8], on interface: NetworkInterface) throws(SocketError) {
    let subject = "multicast on \(interface.name)"
    // Without this a socket hears every group that any program joined on any interface.
    _ = linux_set_multicast_all_off(handle.number, family)
    try check(
      linux_join_group(
        handle.number, group, UInt32(group.count), interface.index,
        interface.address.count == 4 ? interface.address : nil),
      "setsockopt", subject)
  }

  /// Sends multicast out of `interface` from now on.
  public func sendMulticast(outOf interface: NetworkInterface) throws(SocketError) {
    try check(
      linux_set_multicast_out(
        handle.number, family, interface.index,
        interface.address.count == 4 ? interface.address : nil),
      "setsockopt", "multicast on \(interface.name)")
  }

  /// Sends one datagram. A full queue or an unreachable address is an error like any other.
  public func send(_ bytes: [UInt8], to address: SocketAddress) throws(SocketError) {
    let sent = linux_send(
      handle.number, bytes, bytes.count, address.bytes, UInt32(address.bytes.count), address.port,
      address.interface)
    guard sent >= 0 else {
      throw SocketError(
        code: Int32(truncatingIfNeeded: -sent), function: "sendmsg",
        subject: address.description)
    }
  }

  /// The next datagram that has arrived, or nothing. One that is too long is passed over. Its
  /// stamp is converted along `trail`, which belongs to whoever reads this host's sockets.
  public func receive(converting trail: inout SandwichTrail) -> Packet? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestDatagram) { room in
      guard let base = room.baseAddress else { return nil }
      // Pending errors of earlier sends come first and are no datagrams: a few are skipped.
      for _ in 0..<8 {
        var packet = linux_packet()
        let status = linux_receive(handle.number, base, room.count, &packet)
        if status == -EAGAIN { return nil }
        guard status >= 0, !packet.truncated, packet.address_length > 0 else { continue }
        let (stamp, kind) = arrival(of: packet, trail: &trail)
        return Packet(
          bytes: Array(room.prefix(Int(packet.length))), sender: sender(of: packet), stamp: stamp,
          stampKind: kind)
      }
      return nil
    }
  }

  /// The next transmission stamp that the kernel has ready, or nothing; converted along `trail`.
  public func receiveSendStamp(converting trail: inout SandwichTrail) -> SendStamp? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestDatagram) { room in
      guard let base = room.baseAddress else { return nil }
      for _ in 0..<8 {
        var packet = linux_packet()
        let status = linux_receive_stamp(handle.number, base, room.count, &packet)
        guard status >= 0 else { return nil }
        guard packet.stamp_realtime_ns > 0,
          let stamp = trail.host(ofOther: packet.stamp_realtime_ns, now: clock.sandwich())
        else { continue }
        return SendStamp(
          frame: Array(room.prefix(Int(packet.length))), stamp: stamp,
          kind: packet.stamp_kind == 1 ? .scheduled : .kernel)
      }
      return nil
    }
  }

  /// Where the kernel's stamp cannot be told in this host's time, the reading itself serves.
  private func arrival(
    of packet: linux_packet, trail: inout SandwichTrail
  ) -> (HostInstant, PacketStampKind) {
    guard packet.stamp_realtime_ns > 0,
      let stamp = trail.host(ofOther: packet.stamp_realtime_ns, now: clock.sandwich())
    else { return (clock.now(), .userSpace) }
    return (stamp, .kernel)
  }

  private func sender(of packet: linux_packet) -> SocketAddress {
    let bytes = withUnsafeBytes(of: packet.address) { Array($0.prefix(Int(packet.address_length))) }
    let interface = packet.scope != 0 ? packet.scope : packet.interface
    return SocketAddress(bytes: bytes, port: packet.port, interface: interface)
  }
}
