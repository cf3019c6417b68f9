/// What a command ends with, for scripts.
public enum ExitCode: Int32, Hashable, Sendable, Codable {
  /// All hosts did it.
  case success = 0
  case failed = 1
  /// Some hosts did it, some did not.
  case someHosts = 2
  /// The order has no place in the present state.
  case wrongState = 3
  case noDaemon = 4
  case timeout = 5
  /// The command line was not understood (sysexits.h: EX_USAGE).
  case usage = 64
  /// A host that was asked for is not there (sysexits.h: EX_UNAVAILABLE).
  case noPeers = 69
  /// This user may not (sysexits.h: EX_NOPERM).
  case notAuthorised = 77
  /// What was configured cannot be used (sysexits.h: EX_CONFIG).
  case configuration = 78
  case interrupted = 130
}
