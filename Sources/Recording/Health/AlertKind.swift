/// What an alert is about. `docs/operating.md` says of each what to do.
public enum AlertKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A host is not heard any more.
  case hostLost = "host_lost"
  /// The card was unplugged, or its driver gave up.
  case cardLost = "card_lost"
  /// Frames were lost, and silence stands for them.
  case gap
  /// Samples at full scale.
  case clip
  /// A channel from which nothing comes.
  case silence
  case disk
  /// A disk that does not answer.
  case diskSilent = "disk_silent"
  case battery
  case temperature
  /// The host has no shared time.
  case unsynced
  /// What is open about the host's time is more than it may be.
  case syncBound = "sync_bound"
  /// The card's crystal and the host's clock disagree by more than crystals do.
  case rate
  /// The hosts' own disciplined clocks disagree.
  case clockDisagreement = "clock_disagreement"
  /// A disk keeps the writer waiting.
  case writeStall = "write_stall"
  /// A folder is written to no more, although the take rolls.
  case writeFailed = "write_failed"
  /// A take could not be recorded to its end.
  case takeFailed = "take_failed"
  /// The daemon had ended without being told to, and runs again.
  case restarted
  /// Another host lived under this host's id.
  case twin
  /// Two hosts run unlike versions.
  case version
  /// Packets of this group that its key does not open.
  case wrongKey = "wrong_key"
  /// The host is set to count timecode otherwise than the session.
  case timecode
  /// The system does not let the daemon have what safe recording asks for.
  case privilege
  /// What else the recording has to say.
  case capture
  /// A take begins or ends.
  case take
  /// A host came, left on purpose, or is heard again.
  case host
}
