public import Recording

/// What came of an order, host by host.
public struct OrderReport: Hashable, Sendable, Codable {
  public static let schema = "recorder.order/1"

  public var schema = Self.schema
  public var verb: ControlRequest.Verb
  public var take: TakePlan?
  /// T0 in session time, and the civil time that it stands for.
  public var t0SharedNs: Int64?
  public var t0UnixNs: Int64?
  /// T1 in session time, and the civil time that it stands for.
  public var t1SharedNs: Int64?
  public var t1UnixNs: Int64?
  /// The instant that was marked, in session time, and the civil time that it stands for.
  public var atSharedNs: Int64?
  public var atUnixNs: Int64?
  /// Whether the take was circled, or the circle taken away.
  public var isCircled: Bool?
  /// What stands on the slate now.
  public var slate: SessionBook.Slate?
  /// What people are to know, such as that the fleet was armed first.
  public var notes: [String] = []
  /// Those of the hosts that were named which are not heard, by label: the others were told all the
  /// same.
  public var absent: [String]?
  /// One for each host that was meant, sorted by label.
  public var hosts: [HostAnswer] = []

  /// Makes a report of nothing done yet.
  public init(verb: ControlRequest.Verb) { self.verb = verb }

  /// What the command line ends with.
  public var exitCode: ExitCode {
    let asked = hosts.filter { $0.outcome != .noInput && $0.outcome != .noPart }
    let done = asked.filter { $0.outcome == .done }
    if asked.isEmpty { return hosts.isEmpty ? .noPeers : .failed }
    if absent?.isEmpty == false { return .noPeers }
    if done.count == asked.count { return .success }
    if !done.isEmpty { return .someHosts }
    if asked.allSatisfy({ $0.outcome == .missing }) { return .timeout }
    let refused = asked.filter { $0.outcome == .refused }
    return refused.allSatisfy(\.isWrongState) ? .wrongState : .failed
  }

  private enum CodingKeys: String, CodingKey {
    case schema
    case verb
    case take
    case t0SharedNs = "t0_shared_ns"
    case t0UnixNs = "t0_unix_ns"
    case t1SharedNs = "t1_shared_ns"
    case t1UnixNs = "t1_unix_ns"
    case atSharedNs = "at_shared_ns"
    case atUnixNs = "at_unix_ns"
    case isCircled = "circled"
    case slate
    case notes, absent
    case hosts
  }
}
