/// What a daemon answers: one line of JSON.
public enum ControlReply: Hashable, Sendable, Codable {
  /// The longest reply, in bytes: a thousand hosts have room.
  public static let longestBytes = 8 << 20

  case order(OrderReport)
  case fleet(FleetReport)
  case clock(ClockReport)
  case takes(TakesReport)
  case events(EventsReport)
  case pull(PullReport)
  /// The daemon did nothing, and why.
  case refusal(reason: String, exitCode: ExitCode)
}
