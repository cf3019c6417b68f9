import CLinux
import EventLoop
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

@testable import Control

@Suite("The control socket", .live)
struct ControlTests {
  private let place = TestFolder()
  private var folder: String { place.path }

  private func withServer(
    _ handler: @escaping ControlServer.Handler, _ body: (String, ControlServer) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "control")
    let server = try ControlServer(path: folder + "/deep/er/s.sock", loop: loop, handler: handler)
    try await server.start()
    try await body(server.path, server)
    await server.stop()
    #expect(access(server.path, F_OK) != 0)
    loop.stop()
  }

  /// Runs what blocks on a thread of its own: the pool's are few, and the server needs them.
  private static func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let loop = try EventLoop(name: "client")
    defer { loop.stop() }
    return try await withCheckedThrowingContinuation { continuation in
      loop.perform { continuation.resume(with: Result { try work() }) }
    }
  }

  private static func ask(
    _ path: String, _ request: ControlRequest = .init(.status)
  ) async throws -> ControlReply {
    try await blocking { try ControlClient(path: path).ask(request, patience: .seconds(5)) }
  }

  @Test("a request comes through whole, and so does its reply")
  func exchange() async throws {
    let request = ControlRequest(
      .start, hosts: ["a", "b"], takeName: "line\nbreak", leadNs: -5, atUnixNs: 7)
    try await withServer { asked in
      .refusal(reason: asked == request ? "same" : "other", exitCode: .wrongState)
    } _: { path, _ in
      let reply = try await Self.ask(path, request)
      #expect(reply == .refusal(reason: "same", exitCode: .wrongState))
    }
  }

  @Test("a reply of a megabyte comes through")
  func large() async throws {
    let long = String(repeating: "é", count: 500_000)
    try await withServer { _ in
      .refusal(reason: long, exitCode: .failed)
    } _: { path, _ in
      let reply = try await Self.ask(path)
      #expect(reply == .refusal(reason: long, exitCode: .failed))
    }
  }

  @Test("only the owner may open the socket")
  func mode() async throws {
    try await withServer { _ in
      .refusal(reason: "", exitCode: .failed)
    } _: { path, _ in
      var found = stat()
      #expect(lstat(path, &found) == 0)
      #expect(found.st_mode & 0o777 == 0o600)
    }
  }

  @Test("a second server at the same path is refused; a stale socket is taken over")
  func paths() async throws {
    try await withServer { _ in
      .refusal(reason: "", exitCode: .failed)
    } _: { path, _ in
      #expect(throws: ControlError.inUse(path: path)) { try SocketFile(listeningAt: path) }
    }
    let stale = folder + "/stale.sock"
    let left = linux_unix_socket()
    #expect(linux_unix_bind(left, stale) == 0)
    close(left)
    #expect(throws: ControlError.noDaemon(path: stale)) {
      try ControlClient(path: stale).ask(.init(.status))
    }
    let taken = try SocketFile(listeningAt: stale)
    await taken.remove()
    #expect(access(stale, F_OK) != 0)
  }

  @Test("a file that is no socket is never removed")
  func noSocket() throws {
    let path = folder + "/file"
    close(creat(path, 0o600))
    #expect(throws: ControlError.system(path: path, function: "bind", code: EEXIST)) {
      try SocketFile(listeningAt: path)
    }
    #expect(access(path, F_OK) == 0)
  }

  @Test("a path of 107 bytes will do, one of 108 is too long")
  func lengths() async throws {
    let fits = folder + "/" + String(repeating: "x", count: 106 - folder.utf8.count)
    #expect(fits.utf8.count == 107)
    await (try SocketFile(listeningAt: fits)).remove()
    let long = fits + "x"
    #expect(throws: ControlError.pathTooLong(path: long, limitBytes: 107)) {
      try SocketFile(listeningAt: long)
    }
    #expect(throws: ControlError.pathTooLong(path: long, limitBytes: 107)) {
      try ControlClient(path: long).ask(.init(.status))
    }
  }

  @Test("no daemon is said as such")
  func nobody() {
    #expect(throws: ControlError.noDaemon(path: folder + "/none")) {
      try ControlClient(path: folder + "/none").ask(.init(.status))
    }
  }

  @Test("garbage gets a refusal, a line too long the end, and neither harms the next")
  func garbage() async throws {
    try await withServer { _ in
      .refusal(reason: "well", exitCode: .success)
    } _: { path, _ in
      let told = try await Self.talk(path, Array("{\"verb\":7}\n".utf8))
      #expect(told.contains("does not understand"))
      let long = [UInt8](repeating: 0x20, count: ControlRequest.longestBytes + 1)
      let silence = try await Self.talk(path, long)
      #expect(silence == "")
      let reply = try await Self.ask(path)
      #expect(reply == .refusal(reason: "well", exitCode: .success))
    }
  }

  @Test("more clients than there is room for are all answered")
  func crowd() async throws {
    let count = ControlServer.mostConnections + 20
    try await withServer { _ in
      .refusal(reason: "well", exitCode: .success)
    } _: { path, _ in
      let silent = (0..<ControlServer.mostConnections).map { _ in
        let socket = linux_unix_socket()
        _ = linux_unix_connect(socket, path)
        return socket
      }
      for socket in silent { close(socket) }
      try await Self.blocking {
        for _ in 0..<count {
          _ = try ControlClient(path: path).ask(.init(.status), patience: .seconds(5))
        }
      }
    }
  }

  @Test("a line is taken up to its limit, and not one byte beyond")
  func limit() throws {
    var buffer = LineBuffer(limit: 4)
    #expect(try buffer.add([1, 2]) == nil)
    #expect(try buffer.add([3, 4]) == nil)
    #expect(try buffer.add([10, 9]) == [1, 2, 3, 4])
    var full = LineBuffer(limit: 4)
    #expect(throws: LineBuffer.TooLong.self) { try full.add([1, 2, 3, 4, 5, 10]) }
  }

  @Test("the socket is found by option, variable, and the usual places, in this order")
  func places() {
    let variables = ["RECORDER_SOCKET": "/b", "XDG_RUNTIME_DIR": "/c"]
    #expect(ControlPath.find(explicit: "/a") { variables[$0] } == "/a")
    #expect(ControlPath.find(explicit: nil) { variables[$0] } == "/b")
    #expect(
      ControlPath.find(explicit: nil) { $0 == "XDG_RUNTIME_DIR" ? "/c" : nil }
        == "/c/recorder/control.sock")
    #expect(ControlPath.find(explicit: nil) { _ in nil }.hasSuffix("/control.sock"))
  }

  /// Sends bytes as they are and reads to the end.
  private static func talk(_ path: String, _ bytes: [UInt8]) async throws -> String {
    try await blocking { try talkNow(path, bytes) }
  }

  private static func talkNow(_ path: String, _ bytes: [UInt8]) throws -> String {
    let socket = linux_unix_socket()
    defer { close(socket) }
    #expect(linux_unix_connect(socket, path) == 0)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno != EAGAIN { break }
      sent += max(count, 0)
    }
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      var waits = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waits, 1, 5000) == 1)
      let count = recv(socket, &room, room.count, 0)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += room.prefix(count)
    }
  }
}
