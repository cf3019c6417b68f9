internal import CLinux
internal import Glibc
internal import Units

/// Asks a daemon on its control socket. Each call blocks until the reply is there.
public struct ControlClient: Sendable {
  public let path: String

  /// Makes a client of the daemon at `path`.
  public init(path: String) { self.path = path }

  /// Sends `request` and returns the reply, waiting up to `patience` for it.
  public func ask(
    _ request: ControlRequest, patience: Duration = .seconds(30)
  ) throws(ControlError) -> ControlReply {
    guard path.utf8.count <= ControlPath.longestBytes else {
      throw .pathTooLong(path: path, limitBytes: ControlPath.longestBytes)
    }
    let socket = try check(linux_unix_socket(), path, "socket")
    defer { close(socket) }
    let deadline = Deadline(patience)
    try connect(socket, until: deadline)
    try send(LineCodec.line(request), to: socket, until: deadline)
    return try receive(from: socket, until: deadline)
  }

  /// A daemon that many ask at once has a full queue for a moment, which nothing tells the end of.
  private func connect(_ socket: Int32, until deadline: Deadline) throws(ControlError) {
    var status = linux_unix_connect(socket, path)
    while status == -EAGAIN {
      guard deadline.millisecondsLeft() > 0 else { throw .timeout(path: path) }
      usleep(5000)
      status = linux_unix_connect(socket, path)
    }
    try check(status, path, "connect")
  }

  private func send(
    _ bytes: [UInt8], to socket: Int32, until deadline: Deadline
  ) throws(ControlError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try wait(socket, for: Int16(POLLOUT), until: deadline)
      } else if errno == EPIPE || errno == ECONNRESET {
        throw .notAuthorised(path: path)
      } else if errno != EINTR {
        throw .system(path: path, function: "send", code: errno)
      }
    }
  }

  private func receive(
    from socket: Int32, until deadline: Deadline
  ) throws(ControlError) -> ControlReply {
    var buffer = LineBuffer(limit: ControlReply.longestBytes)
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &room, room.count, 0)
      if count == 0 || (count < 0 && errno == ECONNRESET) { throw .closed(path: path) }
      if count < 0 && errno == EAGAIN {
        try wait(socket, for: Int16(POLLIN), until: deadline)
      } else if count < 0 && errno != EINTR {
        throw .system(path: path, function: "recv", code: errno)
      } else if count > 0 {
        guard let line = try whole(&buffer, room.prefix(count)) else { continue }
        guard let reply = LineCodec.value(ControlReply.self, of: line) else {
          throw .malformed(path: path)
        }
        return reply
      }
    }
  }

  private func whole(
    _ buffer: inout LineBuffer, _ bytes: ArraySlice<UInt8>
  ) throws(ControlError) -> [UInt8]? {
    do {
      return try buffer.add(bytes)
    } catch {
      throw .malformed(path: path)
    }
  }

  private func wait(
    _ socket: Int32, for events: Int16, until deadline: Deadline
  ) throws(ControlError) {
    let left = deadline.millisecondsLeft()
    guard left > 0 else { throw .timeout(path: path) }
    var poll = pollfd(fd: socket, events: events, revents: 0)
    _ = Glibc.poll(&poll, 1, left)
  }
}

/// A time by which something has to be done.
private struct Deadline {
  private let end: ContinuousClock.Instant

  init(_ patience: Duration) { end = ContinuousClock.now + patience }

  /// What is left, in milliseconds rounded up, up to a minute.
  func millisecondsLeft() -> Int32 {
    let left = ContinuousClock.now.duration(to: end).wholeNanoseconds
    return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
  }
}
