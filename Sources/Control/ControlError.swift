internal import FileIO
internal import Glibc

/// Why a control socket could not be used: each description is a sentence for its user.
public enum ControlError: Error, Hashable, Sendable {
  case pathTooLong(path: String, limitBytes: Int)
  /// Nobody listens at the path.
  case noDaemon(path: String)
  /// Another daemon listens at the path.
  case inUse(path: String)
  case notAuthorised(path: String)
  case timeout(path: String)
  /// The daemon went away before it had answered.
  case closed(path: String)
  /// What came is no reply of this version.
  case malformed(path: String)
  case system(path: String, function: String, code: Int32)

  /// What a command ends with on this error.
  public var exitCode: ExitCode {
    switch self {
    case .pathTooLong: .usage
    case .noDaemon: .noDaemon
    case .inUse: .configuration
    case .notAuthorised: .notAuthorised
    case .timeout: .timeout
    case .closed, .malformed, .system: .failed
    }
  }
}

extension ControlError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pathTooLong(let path, let limit):
      "the socket path \"\(path)\" has \(path.utf8.count) bytes and may have \(limit); choose a "
        + "shorter one with --socket"
    case .noDaemon(let path): "no daemon answers at \(path)"
    case .inUse(let path):
      "another daemon answers at \(path); stop it, or choose another path with --socket"
    case .notAuthorised(let path):
      "the daemon at \(path) belongs to another user and answers only to them"
    case .timeout(let path): "the daemon at \(path) does not answer"
    case .closed(let path): "the daemon at \(path) went away before it had answered"
    case .malformed(let path):
      "what answers at \(path) is not a daemon of this version; start it again with this program"
    case .system(let path, let function, let code):
      "\(path): \(SystemFailure(code: code)) (\(function))"
    }
  }
}
