internal import CALSA
internal import Glibc

/// What ALSA refused, with the call that it refused and its reason.
public struct ALSAError: Error, Hashable, Sendable {
  /// Why, in the few kinds that matter to a caller.
  public enum Reason: Hashable, Sendable {
    case noSuchDevice
    /// The name means more than one card.
    case ambiguous(cards: [String])
    /// Another program has the device; who, where that can be told.
    case busy(holder: String?)
    /// This user may not open it.
    case notPermitted
    /// The device is gone: unplugged while it was open.
    case disconnected
    /// Frames were lost, and the stream has stopped.
    case overrun
    /// The machine was suspended, and the stream with it.
    case suspended
    /// The device cannot do what was asked; what it can, in words.
    case unsupported(has: String)
    case other(code: Int32)
  }

  public let reason: Reason
  /// The C function that failed, such as `snd_pcm_open`.
  public let function: String
  /// What the call was made on, such as the device's name.
  public let subject: String

  init(reason: Reason, function: String, subject: String) {
    self.reason = reason
    self.function = function
    self.subject = subject
  }

  /// Makes the error that `code`, a negative status of ALSA, stands for.
  init(code: Int32, function: String, subject: String) {
    self.function = function
    self.subject = subject
    reason =
      switch -code {
      case ENOENT, ENXIO: .noSuchDevice
      case ENODEV: function == "snd_pcm_open" ? .noSuchDevice : .disconnected
      case EBUSY, EAGAIN: .busy(holder: nil)
      case EACCES, EPERM: .notPermitted
      case EPIPE: .overrun
      case ESTRPIPE: .suspended
      default: .other(code: -code)
      }
  }
}

extension ALSAError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .noSuchDevice:
      "there is no sound device named \"\(subject)\" (\(function)); recorder cards lists them"
    case .ambiguous(let cards):
      "\"\(subject)\" means more than one card: \(cards.joined(separator: "; ")); name one by its "
        + "id, its USB port or its serial number"
    case .busy(let holder):
      "the sound device \"\(subject)\" is in use by \(holder ?? "another program"); end that "
        + "program, or choose another card (\(function))"
    case .notPermitted:
      "this user may not open the sound device \"\(subject)\": add them to the group audio "
        + "(\(function))"
    case .disconnected: "the sound device \"\(subject)\" is gone: it was unplugged (\(function))"
    case .overrun: "the sound device \"\(subject)\" was not read in time (\(function))"
    case .suspended: "the sound device \"\(subject)\" was suspended (\(function))"
    case .unsupported(let has): "the sound device \"\(subject)\" \(has) (\(function))"
    case .other(let code):
      "the sound device \"\(subject)\": \(String(cString: strerror(code))) (\(function))"
    }
  }
}
