internal import Glibc

/// Holds back Ctrl-C and SIGTERM while files are written, so that what is half-written can be
/// removed first.
final class Interruption {
  private var held = sigset_t()
  private var before = sigset_t()

  init() {
    sigemptyset(&held)
    sigaddset(&held, SIGINT)
    sigaddset(&held, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &held, &before)
  }

  deinit { pthread_sigmask(SIG_SETMASK, &before, nil) }

  /// Whether somebody wants an end.
  var isWanted: Bool {
    var pending = sigset_t()
    sigemptyset(&pending)
    guard sigpending(&pending) == 0 else { return false }
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Takes the signal, so that it does not end the program once it is let through.
  func consume() {
    var now = timespec()
    while sigtimedwait(&held, nil, &now) > 0 {}
  }
}
