internal import CLinux
internal import Glibc
internal import HostClock
internal import Units

/// Ctrl-C and its kin, as something that a wait notices.
struct Interruption {
  /// Readable once a signal came.
  let descriptor: CInt

  /// Takes SIGINT, SIGTERM and SIGHUP over for the rest of this process's life.
  init() throws(DemoError) {
    descriptor = linux_eventfd()
    guard descriptor >= 0 else { throw .failed("there is no eventfd to be had (\(-descriptor))") }
    for signal in [SIGINT, SIGTERM, SIGHUP] { _ = linux_signal_to_eventfd(signal, descriptor) }
    _ = linux_ignore_signal(SIGPIPE)
  }

  /// Waits for `seconds`, or throws as soon as a signal comes.
  func wait(seconds: Double) throws(DemoError) {
    let end = HostClock().now() + .nanoseconds(Int64(seconds * 1e9))
    while true {
      let left = (end - HostClock().now()).inSeconds
      var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      let ready = poll(&watched, 1, CInt((max(0, left) * 1_000).rounded(.up)))
      if ready > 0 { throw .interrupted }
      if left <= 0 { return }
    }
  }
}
