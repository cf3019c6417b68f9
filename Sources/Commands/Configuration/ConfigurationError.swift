/// What is wrong with the configuration: each description is a sentence for its user.
enum ConfigurationError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  case malformed(path: String, line: Int, reason: String)
  case bad(origin: Origin, reason: String)

  var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \"\(path)\": \(reason)"
    case .malformed(let path, let line, let reason): "\(path):\(line): \(reason)"
    case .bad(let origin, let reason): "\(origin): \(reason)"
    }
  }
}

extension ConfigurationError {
  /// The line of the file that it is about; 0 where it is about none.
  var line: Int {
    switch self {
    case .unreadable, .bad(.flag, _), .bad(.environment, _): 0
    case .malformed(_, let line, _), .bad(.file(_, let line), _): line
    }
  }
}
