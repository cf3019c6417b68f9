/// Where a setting comes from.
enum Origin: Hashable, Sendable, CustomStringConvertible {
  case flag
  case environment(variable: String)
  case file(path: String, line: Int)

  var description: String {
    switch self {
    case .flag: "command line"
    case .environment(let variable): "environment: \(variable)"
    case .file(let path, let line): "\(path):\(line)"
    }
  }
}

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
