internal import CSystemd
internal import Glibc

/// What Avahi's daemon knows of one type of service on the network: ours is announced there, and the
/// others' are found.
///
/// Everything goes over the system's D-Bus; where there is no bus, or no daemon on it, there is no
/// directory. A directory belongs to one thread at a time, and its calls may block for some
/// seconds. It is void once the daemon has gone; see ``isCurrent``.
public final class AvahiDirectory {
  /// The most services that wait to be resolved; more are not looked at.
  public static let mostWaiting = 256
  /// The longest name of a service, in bytes.
  public static let longestName = 63

  static let daemon = "org.freedesktop.Avahi"

  private let bus: AvahiBus
  private let type: String
  private let owner: String
  private let arrivals: AvahiArrivals

  /// Begins to look for services of `type`, such as `_recorder._udp`.
  ///
  /// - Parameter address: the bus; nothing: the system's.
  /// - Returns: nothing where there is no bus, or no daemon on it, or it refuses.
  public init?(type: String, address: String? = nil) {
    guard let bus = AvahiBus(address: address), let owner = bus.owner(of: Self.daemon) else {
      return nil
    }
    self.bus = bus
    self.type = type
    self.owner = owner
    arrivals = AvahiArrivals()
    guard bus.match(arrivals), bus.browse(type) else { return nil }
  }

  /// The bus's descriptor, which is readable when there is something to take.
  public var descriptor: Int32 { bus.descriptor }

  /// Whether the daemon is the one that this directory began with.
  public var isCurrent: Bool { bus.owner(of: Self.daemon) == owner }

  /// Announces a service of this host on all of the daemon's interfaces; whether the daemon took
  /// it. It lasts as long as the directory.
  public func announce(name: String, port: UInt16, text: [String]) -> Bool {
    let end = name.utf8.index(
      name.utf8.startIndex, offsetBy: Self.longestName, limitedBy: name.utf8.endIndex)
    let kept = end.map { String(decoding: name.utf8[..<$0], as: UTF8.self) } ?? name
    return bus.announce(kept, type: type, port: port, text: text)
  }

  /// The services of other programs that were found since the last call; nothing once the bus is
  /// gone. Each is resolved, which may take some seconds where it has just left.
  public func take() -> [AvahiService]? {
    guard bus.process() else { return nil }
    return arrivals.take().compactMap { bus.resolve($0, type: type) }
  }
}

/// A service that was found and not resolved yet.
struct AvahiArrival {
  let interface: Int32
  let family: Int32
  let name: String
  let domain: String
}

/// Collects what the bus tells of.
final class AvahiArrivals {
  private var waiting: [AvahiArrival] = []

  func add(_ arrival: AvahiArrival) {
    if waiting.count < AvahiDirectory.mostWaiting { waiting.append(arrival) }
  }

  func take() -> [AvahiArrival] {
    defer { waiting = [] }
    return waiting
  }
}
