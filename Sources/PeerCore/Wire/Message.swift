/// Everything that peers say to one another.
public enum Message: Hashable, Sendable {
  case beacon(Beacon)
  case probe(Probe)
  case probeReply(ProbeReply)
  case heartbeat(HeartbeatMessage)
  /// "Prove that you live: send this back."
  case challenge(ChallengeNonce)
  case challengeEcho(ChallengeNonce)
  /// "Somebody of our group lives there."
  case introduction(Introduction)
  /// The dialler's first frame, with its nonce.
  case hello(ChallengeNonce)
  /// The listener's first frame: its own nonce, and the dialler's given back.
  case welcome(nonce: ChallengeNonce, echo: ChallengeNonce)
  /// The dialler's first frame under the connection's own key.
  case ready
  case command(CommandMessage)
  case acknowledgement(CommandID)
  case status(StatusMessage)
  /// "Send me what changed since this generation of your board."
  case statusRequest(knownGeneration: UInt64)

  /// What the message is.
  public var category: WireHeader.Category {
    switch self {
    case .beacon: .beacon
    case .probe: .probe
    case .probeReply: .probeReply
    case .heartbeat: .heartbeat
    case .challenge: .challenge
    case .challengeEcho: .challengeEcho
    case .introduction: .introduction
    case .hello: .hello
    case .welcome: .welcome
    case .ready: .ready
    case .command: .command
    case .acknowledgement: .acknowledgement
    case .status: .status
    case .statusRequest: .statusRequest
    }
  }
}
