import CLinux
import EventLoop
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

@testable import Control

@Suite("Who may command a daemon", .computing)
struct ControlAccessTests {
  @Test("its owner, root, and the members of its group; nobody else, and nobody without a group")
  func rule() {
    let shared = ControlAccess(owner: 1000, group: 77)
    #expect(shared.allows(user: 1000, groups: []))
    #expect(shared.allows(user: 0, groups: []))
    #expect(shared.allows(user: 1001, groups: [5, 77]))
    #expect(!shared.allows(user: 1001, groups: [5, 78]))
    #expect(!shared.allows(user: 1001, groups: []))
    let own = ControlAccess(owner: 1000, group: nil)
    #expect(!own.allows(user: 1001, groups: [0, 77]))
  }

  @Test("groups are known by their names")
  func names() {
    #expect(ControlAccess.group(named: "root") == 0)
    #expect(ControlAccess.group(named: "no such group") == nil)
  }
}

@Suite("The control socket's guests", .live)
struct ControlGuestTests {
  private let place = TestFolder()
  private var folder: String { place.path }

  init() {
    chmod(folder, 0o755)
  }

  private func withServer(
    group: String = "no such group", patience: ControlPatience = ControlPatience(),
    _ body: (String) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "control")
    let server = try ControlServer(
      path: folder + "/s.sock", loop: loop, group: group, patience: patience
    ) { _ in .refusal(reason: "heard", exitCode: .failed) }
    try await server.start()
    try await body(server.path)
    await server.stop()
    loop.stop()
  }

  /// A connection that says nothing yet.
  private func connect(_ path: String) throws -> Int32 {
    let socket = linux_unix_socket()
    try #require(socket >= 0)
    // The queue is short; those before us are taken out of it in a moment.
    for _ in 0..<500 where linux_unix_connect(socket, path) < 0 { usleep(5000) }
    return socket
  }

  /// Whether the server ends the connection within `limit`.
  private func ends(_ socket: Int32, within limit: Duration) async throws -> Bool {
    let start = ContinuousClock.now
    var byte: UInt8 = 0
    while ContinuousClock.now - start < limit {
      if recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test("who connects and does not ask, or stops in the middle, loses its place")
  func slow() async throws {
    let patience = ControlPatience(request: .milliseconds(300), reply: .seconds(5))
    try await withServer(patience: patience) { path in
      let start = ContinuousClock.now
      let silent = try connect(path)
      let slow = try connect(path)
      defer {
        close(silent)
        close(slow)
      }
      // On a busy machine its time may be up already.
      _ = send(slow, "{\"verb\":", 8, Int32(MSG_NOSIGNAL))
      #expect(try await ends(silent, within: .seconds(30)))
      #expect(try await ends(slow, within: .seconds(30)))
      #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
  }

  @Test("with every place taken by silent ones, whoever asks is answered once theirs is over")
  func crowded() async throws {
    let patience = ControlPatience(request: .milliseconds(500), reply: .seconds(5))
    try await withServer(patience: patience) { path in
      let silent = try (0..<ControlServer.mostConnections).map { _ in try connect(path) }
      defer { for socket in silent { close(socket) } }
      let asker = try EventLoop(name: "client")
      defer { asker.stop() }
      let reply = try await withCheckedThrowingContinuation { continuation in
        asker.perform {
          continuation.resume(
            with: Result {
              try ControlClient(path: path).ask(.init(.status), patience: .seconds(30))
            })
        }
      }
      #expect(reply == .refusal(reason: "heard", exitCode: .failed))
    }
  }

  @Test(
    "a member of the group is answered, a stranger is not",
    .enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
  func members() async throws {
    // The group "daemon" is on every Debian, and nobody's main one here.
    let group = try #require(ControlAccess.group(named: "daemon"))
    try await withServer(group: "daemon") { path in
      var found = stat()
      #expect(lstat(path, &found) == 0)
      #expect(found.st_mode & 0o777 == 0o660 && found.st_gid == group)
      let member = try await Self.asks(path, user: 65_534, groups: "\(group)")
      let stranger = try await Self.asks(path, user: 65_534, groups: "4")
      #expect(member && !stranger)
    }
  }

  /// Whether a process of another user gets an answer.
  private static func asks(_ path: String, user: Int, groups: String) async throws -> Bool {
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.settimeout(5)
      s.connect(sys.argv[1])
      s.sendall(b'{"hosts":[],"verb":"status"}\\n')
      sys.exit(0 if b"heard" in s.recv(1000) else 3)
      """
    let words = [
      "/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "65534", "--groups", groups,
      "/usr/bin/python3", "-c", script, path,
    ]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let pid = arguments.withUnsafeMutableBufferPointer { buffer in
      words[0].withCString { command in
        var spawn = linux_spawn(
          path: command, arguments: buffer.baseAddress, environment: nil, input: -1, output: -1,
          error: -1)
        return linux_start_process(&spawn)
      }
    }
    try #require(pid > 0)
    var status: Int32 = 0
    while linux_reap(pid, false, &status) == 0 { try await Task.sleep(for: .milliseconds(20)) }
    return linux_exit_code(status) == 0
  }
}
