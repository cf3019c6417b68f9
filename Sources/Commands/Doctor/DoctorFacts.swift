internal import Control
internal import Recording

/// What was found out of a host before anything is said about it. What is unknown is nothing.
struct DoctorFacts {
  /// A sound card's capture device.
  struct Card: Hashable {
    var name: String
    var holder: String?
  }

  /// What a card did while it was listened to.
  struct CardRun: Hashable {
    var name: String
    var seconds: Double
    var ppm: Double?
    var gaps: Int
    /// Why it could not be listened to.
    var failure: String?
  }

  struct Wireless: Hashable {
    var name: String
    var savesPower: Bool?
  }

  /// What the wall clock does.
  struct WallClock: Hashable {
    var isDisciplined: Bool
    /// By how much it is bent now, in ppm.
    var slewPPM: Double?
  }

  var user = "you"
  var isRoot = false
  var forbiddenDevices: [String] = []
  /// Nothing: no limit.
  var realtimePriority: UInt64?
  var lockedBytes: UInt64?
  var cards: [Card] = []
  var cardRun: CardRun?
  var output = ""
  var writes: WriteTimes?
  var minutesLeft: Double?
  var wireless: [Wireless] = []
  var governors: [String] = []
  /// Whether the host can be kept awake; nothing where that was not found out.
  var canStayAwake: Bool?
  var wallClock: WallClock?
  /// What the daemon says; nothing where none answers, and why.
  var fleet: FleetReport?
  var noDaemon: String?

  /// Whether a take is rolling here: then nothing is measured that could disturb it.
  var own: HostReport? { fleet?.hosts.first { $0.peer == fleet?.peer } }
}
