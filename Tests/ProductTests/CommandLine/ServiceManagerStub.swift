import Glibc
import TestFolders

/// Where a service manager hears of its services.
final class ServiceManagerStub {
  let path: String
  private let socket: Int32
  private(set) var heard: [String] = []

  init(in place: TestFolder) {
    path = place.path + "/notify"
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(status == 0, "a test's own socket can be bound")
  }

  deinit { close(socket) }

  private func take() {
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &room, room.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      heard.append(String(decoding: room.prefix(count), as: UTF8.self))
    }
  }

  /// How often it has heard that the service lives.
  func signs() -> Int {
    take()
    return heard.count { $0 == "WATCHDOG=1" }
  }

  /// Waits until it has heard `text`, up to ten seconds.
  func hears(_ text: String) -> Bool {
    for _ in 0..<1000 {
      take()
      if heard.contains(where: { $0.contains(text) }) { return true }
      usleep(10_000)
    }
    return false
  }
}
