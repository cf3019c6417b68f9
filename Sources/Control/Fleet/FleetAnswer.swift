/// What a host answers to an order, as it travels between daemons.
public struct FleetAnswer: Codable, Sendable {
  /// The type of the commands that carry answers.
  public static let type = "recorder.answer"

  /// Which order is answered.
  public let number: UInt64
  public let answer: HostAnswer

  /// Makes an answer to the order `number`.
  public init(number: UInt64, answer: HostAnswer) {
    self.number = number
    self.answer = answer
  }
}
