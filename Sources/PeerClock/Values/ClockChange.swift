public import PeerCore
public import Units

/// Something about the shared time itself changed, or is to be noted.
public enum ClockChange: Hashable, Sendable {
  /// Another host's clock is the one that is followed from now on; nothing: none is.
  case coordinator(PeerID?)
  /// The host takes part in this session now, or the displayed time may have stepped: each time
  /// that may be, the generation grows.
  case session(Session, generation: UInt32)
  /// This host is another peer from now on: its former id is a twin's, of a copied disk.
  case identity(PeerID, former: PeerID)
  /// How readings of one session's time lead to another's: of one that was left to the present
  /// one's, or of the one that is kept to that which the others are in.
  case compared(SessionLink)
  /// Something that a log should hold, in a sentence.
  case note(String)
}
