internal import Glibc

/// A file descriptor that is closed when its owner is gone.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}

/// Makes an error of a negative status of `CLinux`.
@discardableResult
func check(_ status: Int32, _ function: String, _ subject: String) throws(SocketError) -> Int32 {
  guard status >= 0 else {
    throw SocketError(code: -status, function: function, subject: subject)
  }
  return status
}
