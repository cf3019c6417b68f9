internal import Glibc

/// What a system call was refused for: an error number, and the system's words for it.
public struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number, such as ENOSPC.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// What the last system call of this thread failed for.
  public static var last: SystemFailure { SystemFailure(code: errno) }

  public var description: String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
