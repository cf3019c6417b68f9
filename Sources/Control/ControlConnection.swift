internal import EventLoop
internal import Glibc
internal import Units

/// One command line that asks, as far as it has got.
struct ControlConnection {
  enum Step: Equatable {
    case wait
    case request([UInt8])
    case end
  }

  let descriptor: Int32
  let token: EventLoop.Token
  private var input = LineBuffer(limit: ControlRequest.longestBytes)
  private var asked = false
  private var output: ArraySlice<UInt8> = []
  /// When the other side must have asked, or taken the reply; nothing while that is worked out.
  private(set) var deadline: HostInstant?

  init(descriptor: Int32, token: EventLoop.Token, deadline: HostInstant) {
    self.deadline = deadline
    self.descriptor = descriptor
    self.token = token
  }

  var wantsOutput: Bool { !output.isEmpty }

  /// Reads what is there. The end of the other's side, before or after its request, is the end.
  mutating func read() -> Step {
    var room = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .wait : .end }
    if count == 0 { return .end }
    if asked { return .wait }
    do {
      guard let line = try input.add(room.prefix(count)) else { return .wait }
      asked = true
      deadline = nil
      return .request(line)
    } catch {
      return .end
    }
  }

  mutating func queue(_ bytes: [UInt8], until deadline: HostInstant) {
    output = bytes[...]
    self.deadline = deadline
  }

  /// Writes what there is room for; the end once all is written.
  mutating func write() -> Step {
    while !output.isEmpty {
      let count = output.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count < 0 { return errno == EAGAIN || errno == EINTR ? .wait : .end }
      output = output.dropFirst(count)
    }
    return asked ? .end : .wait
  }
}
