package import Units

/// What a take left behind at one host, and what that host said meanwhile.
package struct HostEvidence: Sendable {
  /// What the host said of shared time while the take rolled, oldest first.
  package var readings: [SyncReading]
  /// By how much the card is fast against the host's clock, as the host said last; in ppm.
  package var cardPpm: Double?
  /// By how much the card is fast against shared time, as the alignment found; in ppm.
  package var sharedPpm: Double?
  /// The raw file's length.
  package var rawFrames: Int
  /// The beginning of the raw file's first channel; full scale is 1.
  package var rawBeginning: [Double]
  /// The aligned file's first channel, whole.
  package var aligned: [Double]
  /// The shared instant of the aligned file's first frame, as the alignment says.
  package var alignedStart: SharedInstant

  /// Makes evidence of its parts.
  package init(
    readings: [SyncReading], cardPpm: Double?, sharedPpm: Double?, rawFrames: Int,
    rawBeginning: [Double], aligned: [Double], alignedStart: SharedInstant
  ) {
    self.readings = readings
    self.cardPpm = cardPpm
    self.sharedPpm = sharedPpm
    self.rawFrames = rawFrames
    self.rawBeginning = rawBeginning
    self.aligned = aligned
    self.alignedStart = alignedStart
  }
}

/// What a take left behind: all that it is judged by, beside the truth.
package struct TakeEvidence: Sendable {
  /// Host by host, in the order of the plan.
  package var hosts: [HostEvidence]
  /// Which host of the plan was elected.
  package var coordinator: Int
  /// Where the take begins and ends.
  package var t0: SharedInstant
  package var t1: SharedInstant
  /// How long after the last start all hosts were in sync, in seconds.
  package var settledSeconds: Double

  /// Makes evidence of its parts.
  package init(
    hosts: [HostEvidence], coordinator: Int, t0: SharedInstant, t1: SharedInstant,
    settledSeconds: Double
  ) {
    self.hosts = hosts
    self.coordinator = coordinator
    self.t0 = t0
    self.t1 = t1
    self.settledSeconds = settledSeconds
  }
}
