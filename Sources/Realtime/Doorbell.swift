internal import CLinux
internal import Glibc

/// Lets a thread rest until its time has come or somebody rings.
///
/// One that rings before the other rests is not lost: the next rest ends at once. Any thread may
/// ring, as often as it likes.
public final class Doorbell: Sendable {
  private let descriptor: Int32

  /// Makes a bell that nobody has rung. Without a descriptor to be had rests last their full time.
  public init() { descriptor = linux_eventfd() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Ends the rest of whoever rests, or the next.
  public func ring() { if descriptor >= 0 { linux_eventfd_signal(descriptor) } }

  /// Rests for `milliseconds` at most; whether somebody rang.
  @discardableResult
  public func rest(milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, max(0, milliseconds)) > 0 else { return false }
    linux_eventfd_drain(descriptor)
    return true
  }
}
