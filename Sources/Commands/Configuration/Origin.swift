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
