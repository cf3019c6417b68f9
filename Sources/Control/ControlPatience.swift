/// How long a control connection may keep its place.
public struct ControlPatience: Hashable, Sendable {
  /// From the connecting to the end of the request.
  public let request: Duration
  /// From the reply to its last byte's being taken.
  public let reply: Duration

  /// Makes spans, both positive.
  public init(request: Duration = .seconds(10), reply: Duration = .seconds(30)) {
    precondition(request > .zero && reply > .zero, "patience is more than nothing")
    self.request = request
    self.reply = reply
  }
}
