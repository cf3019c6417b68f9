internal import Glibc

/// What the network refused, with the call that it refused and its reason.
public struct SocketError: Error, Hashable, Sendable {
  /// Why, in the few words that matter to a caller.
  public enum Reason: Hashable, Sendable {
    case addressInUse
    case noSuchAddress
    case notPermitted
    case unreachable
    case other(code: Int32)
  }

  public let reason: Reason
  /// The C function that failed, such as `bind`.
  public let function: String
  /// What the call was made on, such as an address.
  public let subject: String

  /// Makes the error that `code`, an errno, stands for.
  public init(code: Int32, function: String, subject: String) {
    self.function = function
    self.subject = subject
    reason =
      switch code {
      case EADDRINUSE: .addressInUse
      case EADDRNOTAVAIL, ENODEV: .noSuchAddress
      case EACCES, EPERM: .notPermitted
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .unreachable
      default: .other(code: code)
      }
  }
}

extension SocketError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .addressInUse: "\(subject) is in use by another program (\(function))"
    case .noSuchAddress: "this host has no address \(subject) (\(function))"
    case .notPermitted: "this user may not use \(subject) (\(function))"
    case .unreachable: "no network leads to \(subject) (\(function))"
    case .other(let code): "\(subject): \(String(cString: strerror(code))) (\(function))"
    }
  }
}
