internal import CSystemd
public import DBus
internal import Glibc
internal import Synchronization

/// A program on a test's own bus, served by a thread of its own until it is stopped.
public final class BusServer: Sendable {
  private let shallStop = Atomic<Bool>(false)
  private let ready = Atomic<Bool>(false)
  /// Safe to share: set before anybody else has the value, and read once, when it is stopped.
  nonisolated(unsafe) private var thread = pthread_t()
  private let address: String
  private let setUp: @Sendable (BusConnection) -> Void

  /// Connects to the bus at `address`, has `setUp` say what it is there, and serves.
  public init(address: String, setUp: @escaping @Sendable (BusConnection) -> Void) {
    self.address = address
    self.setUp = setUp
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BusServer>.fromOpaque(argument).takeUnretainedValue().serve()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    while !ready.load(ordering: .acquiring) { usleep(1000) }
  }

  /// Ends it; call before the value goes.
  public func stop() {
    shallStop.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private func serve() {
    defer { ready.store(true, ordering: .releasing) }
    guard let connection = BusConnection(.system, address: address) else { return }
    setUp(connection)
    ready.store(true, ordering: .releasing)
    while !shallStop.load(ordering: .relaxed) { _ = connection.serve(milliseconds: 20) }
  }
}

extension BusConnection {
  /// Has `answer` called, with `context`, for each call on the object at `path`.
  func serve<Context: AnyObject>(
    path: String, context: Context,
    answer:
      @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
      ) -> Int32
  ) {
    sd_bus_add_object(handle, nil, path, answer, Unmanaged.passUnretained(context).toOpaque())
  }

  /// Takes a name on the bus.
  func take(_ name: String) { sd_bus_request_name(handle, name, 0) }
}
