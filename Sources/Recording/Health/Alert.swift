/// Something that people are to know of a host, with what to do about it.
public struct Alert: Hashable, Sendable, Codable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable, Codable, Comparable, CaseIterable {
    /// Nothing is wrong.
    case info
    /// Something will go wrong, or a little did.
    case warning
    /// Audio is being lost, or will be within minutes.
    case critical

    private var rank: Int {
      switch self {
      case .info: 0
      case .warning: 1
      case .critical: 2
      }
    }

    public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }
  }

  /// What tells one alert of a host from another.
  public struct Key: Hashable, Sendable, Comparable {
    public let kind: AlertKind
    public let subject: String

    /// Makes a key.
    public init(_ kind: AlertKind, _ subject: String = "") {
      self.kind = kind
      self.subject = subject
    }

    public static func < (one: Key, other: Key) -> Bool {
      (one.kind.rawValue, one.subject) < (other.kind.rawValue, other.subject)
    }
  }

  public var kind: AlertKind
  /// Which of several, such as `channel 3` or a folder; empty where a host has one of the kind.
  public var subject: String
  public var severity: Severity
  /// What is wrong, with its figure.
  public var text: String
  /// What to do about it; empty where there is nothing to do.
  public var next: String

  /// Makes an alert.
  public init(
    _ kind: AlertKind, subject: String = "", severity: Severity, text: String, next: String = ""
  ) {
    self.kind = kind
    self.subject = subject
    self.severity = severity
    self.text = text
    self.next = next
  }

  public var key: Key { Key(kind, subject) }

  /// Of a host that was lost: that it is known no longer.
  public var forgotten: Alert {
    guard kind == .hostLost, let place = text.firstRange(of: " is not heard") else { return self }
    var alert = self
    alert.text = text[..<place.lowerBound] + Self.forgottenWords
    alert.next = ""
    return alert
  }

  private static let forgottenWords = " is forgotten"

  /// What is said when it is over.
  public var overText: String {
    if kind == .hostLost, text.hasSuffix(Self.forgottenWords) { return text }
    guard kind == .hostLost, let place = text.firstRange(of: " is not heard") else {
      return "over: \(text)"
    }
    return text[..<place.lowerBound] + " is heard again"
  }

  /// What is wrong and what to do, in a line.
  public var sentence: String { next.isEmpty ? text : "\(text); \(next)" }
}
