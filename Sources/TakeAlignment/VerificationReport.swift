/// Whether a take's certificates hold.
public struct VerificationReport: Hashable, Sendable, Codable {
  /// Names this form of report.
  public var schema = "recorder.verify.1"
  public let folder: String
  /// Whether every host's certificate holds.
  public let holds: Bool
  public let hosts: [Host]

  init(folder: String, hosts: [Host]) {
    self.folder = folder
    self.hosts = hosts
    holds = hosts.allSatisfy { $0.faults.isEmpty }
  }

  /// What a host's `take.json` claims, held against its logs and its audio.
  public struct Host: Hashable, Sendable, Codable {
    /// The file that claims.
    public let name: String
    public let label: String
    /// Sound files whose digests were taken and are as they were.
    public let confirmedFiles: Int
    /// The bounds at head and tail, recomputed from the logs.
    public let headBoundNanoseconds: Int64?
    public let tailBoundNanoseconds: Int64?
    /// What does not hold, in sentences.
    public let faults: [String]
    /// What cannot be told, in sentences.
    public let remarks: [String]

    private enum CodingKeys: String, CodingKey {
      case name, label, faults, remarks
      case confirmedFiles = "confirmed_files"
      case headBoundNanoseconds = "head_bound_ns"
      case tailBoundNanoseconds = "tail_bound_ns"
    }
  }
}
