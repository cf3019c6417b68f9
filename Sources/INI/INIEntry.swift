/// One setting of a file.
public struct INIEntry: Hashable, Sendable {
  /// The section that it stands in; empty before the first.
  public let section: String
  public let key: String
  public let value: String
  /// The line that it stands on, from 1.
  public let line: Int
}

/// Why a text is no settings.
public enum INIError: Error, Hashable, Sendable {
  /// The line is neither a section, nor a setting, nor a comment.
  case syntax(line: Int)
  /// The line is longer than ``INIReader/longestLine`` bytes.
  case lineTooLong(line: Int)
  /// The text is longer than ``INIReader/longestText`` bytes, or holds a zero byte.
  case notText
}
