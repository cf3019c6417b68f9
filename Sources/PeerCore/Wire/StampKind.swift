/// How the time of a packet was taken.
public enum StampKind: UInt8, Hashable, Sendable, Codable, CaseIterable {
  /// By the kernel's network stack, as the packet left for the driver or came from it.
  case kernel = 0
  /// By the kernel, as the packet was queued: some microseconds early.
  case scheduled = 1
  /// By the program, around its call: tens of microseconds off.
  case userSpace = 2

  /// The word in logs and reports.
  public var word: String {
    switch self {
    case .kernel: "kernel"
    case .scheduled: "scheduled"
    case .userSpace: "user_space"
    }
  }
}
