public import ALSA
internal import FileIO
internal import Glibc
public import Recording

/// Why a host does not do what it was told.
public enum CaptureError: Error, Hashable, Sendable {
  /// The card refused.
  case card(ALSAError)
  /// Another program was asked for the card and keeps it.
  case kept(pcm: String, by: String)
  /// The command has no place in the host's state.
  case state(HostState.Refusal)
  /// The output folder cannot be written.
  case output(path: String, code: Int32)
  /// Somebody removed the file while it was being written.
  case vanished(path: String)
  /// There is less room on the disk than the shortest take needs.
  case diskFull(path: String, freeBytes: Int64, neededBytes: Int64)
  /// There is so little room left that the take ends before it is lost.
  case diskNearlyFull(path: String, freeBytes: Int64)
  /// The ring would take over half of the free memory.
  case memory(ringBytes: Int64, freeBytes: Int64)
  /// An instant was to be marked that lies before the take, by so many seconds.
  case beforeTake(Double)
  /// More instants wait to be marked than are kept.
  case tooManyMarks(limit: Int)
  /// A channel has a name and is not recorded; the channels that are, counted from 1.
  case unknownTrack(Track, recorded: [Int])
  /// The host has no shared time yet, so it cannot place a take.
  case unsynced
}

extension CaptureError {
  /// Whether somebody took the file or its folder away.
  var isRemoval: Bool {
    switch self {
    case .vanished, .output(_, ENOENT): true
    default: false
    }
  }
}

extension CaptureError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .card(let error): error.description
    case .kept(let pcm, let program):
      "the sound device \"\(pcm)\" is held by \(program), which was asked for it and keeps it; stop "
        + "it there, or choose another card"
    case .state(.notArmed): "nothing is armed; run: recorder arm"
    case .state(.rolling): "a take is rolling; run: recorder stop"
    case .state(.notRolling): "no take is rolling; run: recorder start"
    case .output(let path, let code):
      "cannot write to \(path): \(SystemFailure(code: code)); choose another folder with "
        + "--output"
    case .vanished(let path):
      "\(path) is gone: somebody removed it, or its folder, while it was being written"
    case .diskFull(let path, let free, let needed):
      "\(path) has \(free / 1_000_000) MB free, and the shortest take needs "
        + "\((needed + 999_999) / 1_000_000) MB; free some or choose another folder with --output"
    case .diskNearlyFull(let path, let free):
      "\(path) has only \(free / 1_000_000) MB left: the take was closed while there was room for "
        + "that; free some and start the next, or choose another folder with --output"
    case .memory(let ring, let free):
      "the ring would take \(ring / 1_000_000) MB of \(free / 1_000_000) MB free, and it may take half; choose "
        + "a shorter --pre-roll"
    case .beforeTake(let seconds):
      "the take began \(Int(seconds.rounded(.up))) s after that; mark an instant within it"
    case .tooManyMarks(let limit): "\(limit) marks wait for their instants already; mark later"
    case .unknownTrack(let track, let recorded):
      "channel \(track.channel) is called \"\(track.name)\" and is not recorded; recorded are "
        + "\(recorded.map(String.init).joined(separator: ", ")): record it too with --channels, or name "
        + "one of these with --track"
    case .unsynced: "this host has no shared time yet; wait a moment and try again"
    }
  }
}
