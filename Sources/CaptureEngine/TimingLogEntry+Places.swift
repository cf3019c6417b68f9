internal import Recording
internal import Units

extension TimingLogEntry {
  /// The frame that it is of, where it is of one.
  var frame: Int64? {
    switch self {
    case .clock(let entry): entry.frame
    case .gap(let entry): entry.frame
    case .stop(let entry): entry.frame
    case .marker(let entry): entry.frame
    case .stall(let entry): entry.frame
    default: nil
    }
  }

  /// The entry with its frame, if it has one, moved on by `count` frames.
  func moved(by count: Int64) -> TimingLogEntry {
    if count == 0 { return self }
    switch self {
    case .clock(let entry):
      return .clock(entry.at(frame: entry.frame + count, host: entry.host, shared: entry.shared))
    case .gap(let entry):
      return .gap(
        TimingLogGap(
          frame: entry.frame + count, frames: entry.frames, cause: entry.cause,
          boundFrames: entry.boundFrames, lostFrom: entry.lostFrom.map { max(0, $0 + count) },
          lostTo: entry.lostTo.map { max(0, $0 + count) }))
    case .stop(let entry):
      return .stop(
        TimingLogStop(
          frame: entry.frame + count, cause: entry.cause, boundFrames: entry.boundFrames))
    case .marker(let entry):
      return .marker(
        TimingLogMarker(frame: entry.frame + count, text: entry.text, shared: entry.shared))
    case .stall(let entry):
      return .stall(
        TimingLogStall(
          host: entry.host, durationNanoseconds: entry.durationNanoseconds,
          frame: entry.frame + count))
    default: return self
    }
  }
}

extension TimingLogClock {
  func at(frame: Int64, host: HostInstant, shared: SharedInstant) -> TimingLogClock {
    TimingLogClock(
      frame: frame, host: host, shared: shared, jitterBoundNanoseconds: jitterBoundNanoseconds,
      pathLimitNanoseconds: pathLimitNanoseconds, cardBoundNanoseconds: cardBoundNanoseconds,
      cardPPM: cardPPM, skewPPM: skewPPM, generation: generation)
  }

  /// The same line at another frame, by the rates that are known here.
  func along(to other: Int64, rate: SampleRate) -> TimingLogClock {
    let nominal = Double(other - frame) / Double(rate.hertz) * 1e9
    let elapsed = nominal / (1 + cardPPM * 1e-6)
    let span = elapsed * (1 + skewPPM * 1e-6)
    return at(
      frame: other, host: host + .nanoseconds(Int64(elapsed.rounded())),
      shared: shared + .nanoseconds(Int64(span.rounded())))
  }
}
