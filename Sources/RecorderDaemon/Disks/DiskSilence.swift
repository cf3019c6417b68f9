/// A disk that has not answered in time.
struct DiskSilence: Error, Hashable, CustomStringConvertible {
  /// What it was asked about.
  let folder: String
  /// How long it was waited for.
  let patience: Duration

  var description: String {
    "the disk of \(folder) does not answer for \(patience.components.seconds) s; "
      + Self.advice
  }

  static let advice = "look at its cable and its power, or at the server of a network folder"
}

/// The daemon was told to end while it was asked.
struct DaemonEnding: Error, Hashable, CustomStringConvertible {
  var description: String { "the daemon is ending; start it again" }
}
