public import Units

/// Something that people were to know of the host while the file was recorded.
public struct TimingLogAlert: Hashable, Sendable, Codable {
  /// When it was said, by this host's clock.
  public let host: HostInstant
  /// What became of it: `raised`, `changed`, `cleared` or `noted`; `holds` for one that was raised
  /// before the file began.
  public let phase: String
  /// As in ``AlertKind``.
  public let kind: String
  /// Which of several, such as `channel 3`; nothing where a host has one of the kind.
  public let subject: String?
  /// As in ``Alert/Severity``.
  public let severity: String
  public let text: String

  /// The phase of what was raised before the file began.
  public static let holds = "holds"

  /// Makes an entry of an alert whose `phase` came at `host`.
  public init(_ alert: Alert, phase: String, at host: HostInstant) {
    self.host = host
    self.phase = phase
    kind = alert.kind.rawValue
    subject = alert.subject.isEmpty ? nil : alert.subject
    severity = alert.severity.rawValue
    text = alert.text
  }

  private enum CodingKeys: String, CodingKey {
    case host = "host_ns"
    case phase, kind, subject, severity, text
  }
}
