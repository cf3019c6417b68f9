internal import CSystemd
internal import DBus
internal import Glibc

/// The system's bus, as far as Avahi's daemon is concerned. Used by one thread at a time.
final class AvahiBus {
  /// How long an answer is waited for, in microseconds: the daemon itself gives up after 5 s.
  private static let patience: UInt64 = 6_000_000
  /// Any interface, and any family of addresses, in Avahi's words.
  private static let any: Int32 = -1
  /// Of what was found: this very client announced it (AVAHI_LOOKUP_RESULT_OUR_OWN).
  private static let ownFlag: UInt32 = 16

  private let connection: BusConnection
  private var bus: OpaquePointer { connection.handle }

  init?(address: String?) {
    guard let connection = BusConnection(.system, address: address) else { return nil }
    self.connection = connection
  }

  var descriptor: Int32 { connection.descriptor }

  /// Handles what has come; false where the bus is gone.
  func process() -> Bool { connection.process() }

  /// Who has `name` on the bus now. Asking so starts nobody.
  func owner(of name: String) -> String? {
    var call = AvahiCall(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner")
    call.put(name)
    return call.send(within: Self.patience).flatMap { $0.text() }
  }

  /// Has `arrivals` hear of services that are found.
  func match(_ arrivals: AvahiArrivals) -> Bool {
    let receiver = Unmanaged.passUnretained(arrivals).toOpaque()
    return sd_bus_match_signal(
      bus, nil, AvahiDirectory.daemon, nil, AvahiDirectory.daemon + ".ServiceBrowser", "ItemNew",
      { message, receiver, _ in
        AvahiBus.found(AvahiReply(borrowing: message), receiver)
        return 0
      }, receiver) >= 0
  }

  private static func found(_ message: AvahiReply, _ receiver: UnsafeMutableRawPointer?) {
    guard let receiver, let interface = message.int32(), let family = message.int32(),
      let name = message.text(), message.text() != nil, let domain = message.text(),
      let flags = message.uint32(), flags & ownFlag == 0
    else { return }
    Unmanaged<AvahiArrivals>.fromOpaque(receiver).takeUnretainedValue().add(
      AvahiArrival(interface: interface, family: family, name: name, domain: domain))
  }

  /// Begins to look for services of a type.
  func browse(_ type: String) -> Bool {
    var call = server("ServiceBrowserNew")
    call.put(Self.any)
    call.put(Self.any)
    call.put(type)
    call.put("")
    call.put(UInt32(0))
    return call.send(within: Self.patience) != nil
  }

  func announce(_ name: String, type: String, port: UInt16, text: [String]) -> Bool {
    let made = server("EntryGroupNew")
    guard let group = made.send(within: Self.patience)?.path() else { return false }
    let interface = AvahiDirectory.daemon + ".EntryGroup"
    var call = AvahiCall(bus, AvahiDirectory.daemon, group, interface, "AddService")
    call.put(Self.any)
    call.put(Self.any)
    call.put(UInt32(0))
    call.put(name)
    call.put(type)
    // The daemon's own domain and host.
    call.put("")
    call.put("")
    call.put(port)
    call.put(text)
    guard call.send(within: Self.patience) != nil else { return false }
    let commit = AvahiCall(bus, AvahiDirectory.daemon, group, interface, "Commit")
    return commit.send(within: Self.patience) != nil
  }

  /// Where a service is, by the family of addresses with which it was found.
  func resolve(_ arrival: AvahiArrival, type: String) -> AvahiService? {
    var call = server("ResolveService")
    call.put(arrival.interface)
    call.put(arrival.family)
    call.put(arrival.name)
    call.put(type)
    call.put(arrival.domain)
    call.put(arrival.family)
    call.put(UInt32(0))
    guard let reply = call.send(within: Self.patience),
      let interface = reply.int32(), reply.int32() != nil, let name = reply.text(),
      reply.text() != nil, reply.text() != nil, reply.text() != nil, reply.int32() != nil,
      let address = reply.text(), let port = reply.uint16(), let text = reply.texts()
    else { return nil }
    return AvahiService(
      name: name, interface: UInt32(max(0, interface)), address: address, port: port, text: text)
  }

  private func server(_ method: String) -> AvahiCall {
    AvahiCall(bus, AvahiDirectory.daemon, "/", AvahiDirectory.daemon + ".Server", method)
  }
}
