public import ALSA
internal import Glibc
public import Recording

/// Why a host does not do what it was told.
public enum CaptureError: Error, Hashable, Sendable {
  /// The card refused.
  case card(ALSAError)
  /// The command has no place in the host's state.
  case state(HostState.Refusal)
  /// The output folder cannot be written.
  case output(path: String, code: Int32)
  /// There is less room on the disk than the shortest take needs.
  case diskFull(path: String, freeBytes: Int64, neededBytes: Int64)
  /// The ring would take over half of the free memory.
  case memory(ringBytes: Int64, freeBytes: Int64)
  /// The host has no shared time yet, so it cannot place a take.
  case unsynced
}

extension CaptureError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .card(let error): error.description
    case .state(.notArmed): "nothing is armed; run: recorder arm"
    case .state(.rolling): "a take is rolling; run: recorder stop"
    case .state(.notRolling): "no take is rolling; run: recorder start"
    case .output(let path, let code):
      "cannot write to \(path): \(String(cString: strerror(code))); choose another folder with "
        + "--output"
    case .diskFull(let path, let free, let needed):
      "\(path) has \(free / 1_000_000) MB free, and the shortest take needs "
        + "\((needed + 999_999) / 1_000_000) MB; free some or choose another folder with --output"
    case .memory(let ring, let free):
      "the ring would take \(ring / 1_000_000) MB of \(free / 1_000_000) MB free; choose a shorter "
        + "--pre-roll"
    case .unsynced: "this host has no shared time yet; wait a moment and try again"
    }
  }
}
