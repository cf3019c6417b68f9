internal import CALSA
internal import Glibc

/// What can befall a stream that runs: a plain value, so that a capture thread can be told of it
/// without touching the heap.
public enum PCMFault: Error, BitwiseCopyable, Hashable, Sendable {
  /// Frames were lost, and the stream has stopped.
  case overrun
  /// The machine was suspended, and the stream with it.
  case suspended
  /// The device is not ready yet: ask again.
  case notReady
  /// The device is gone.
  case disconnected
  case other(code: Int32)

  /// The fault that `code`, a negative status of ALSA, stands for.
  init(code: Int32) {
    self =
      switch -code {
      case EPIPE: .overrun
      case ESTRPIPE: .suspended
      case EAGAIN: .notReady
      case ENODEV, ENXIO, ESHUTDOWN: .disconnected
      default: .other(code: -code)
      }
  }
}
