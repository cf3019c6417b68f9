public import Units

/// The place of an instant in a timecode day, in samples since 00:00:00:00.
///
/// It counts from timecode zero, not from midnight on the wall: at 23.976 and 29.97 the two
/// differ by 0.1 %. Integers and rationals only, rounded once.
public enum TimeReference {
  /// Samples from timecode 00:00:00:00 to `instant`, within one timecode day.
  ///
  /// The session's anchor gives the timecode its zero: the civil second that has begun last at
  /// the anchor carries its own label, with frame 00. The same instant gives the same value on
  /// every host, whenever that host joined.
  ///
  /// - Returns: round(S·(n0/R + (T0 − E))) modulo the timecode day, where S is the sample rate, R
  ///   the frame rate, E the last whole civil second at the anchor and n0 the frame of its label.
  public static func samples(
    at instant: SharedInstant, in session: Session, sampleRate: SampleRate, frameRate: FrameRate
  ) -> UInt64 {
    samples(
      at: instant, in: session, sampleRate: sampleRate, timecode: TimecodeSetting(rate: frameRate))
  }

  /// The same where the timecode may run free from the session's anchor, or at an offset to the
  /// time of day.
  public static func samples(
    at instant: SharedInstant, in session: Session, sampleRate: SampleRate,
    timecode: TimecodeSetting
  ) -> UInt64 {
    let anchor = CivilTime(at: session.anchor, in: session)
    let (second, rest) = anchor.nanosecondsOfDay.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let elapsed = instant.nanoseconds - session.anchor.nanoseconds
    let timeOfDay = labelFrame(secondOfDay: second, rate: timecode.rate)
    let (label, since) =
      switch timecode.mode {
      case .timeOfDay: (timeOfDay, elapsed + rest)
      case .offset(let frames): (timeOfDay + frames, elapsed + rest)
      case .freeRun(let start): (start, elapsed)
      }
    return samples(
      label: label, elapsedNanoseconds: since, sampleRate: sampleRate, frameRate: timecode.rate)
  }

  /// The value `frames` samples later, within one timecode day: where the next segment of a split
  /// recording begins.
  public static func advanced(
    _ reference: UInt64, by frames: Int64, sampleRate: SampleRate, frameRate: FrameRate
  ) -> UInt64 {
    // In units of one sample over numerator(R), in which a timecode day is a whole number.
    let over = Int128(frameRate.numerator)
    let day =
      Int128(sampleRate.hertz) * Int128(frameRate.framesPerDay) * Int128(frameRate.denominator)
    let position = (Int128(reference) + Int128(frames)) * over
    let wrapped = ((position % day) + day) % day
    let rounded = (2 * wrapped + over) / (2 * over)
    return rounded * over >= day ? 0 : UInt64(rounded)
  }

  /// Samples from timecode zero to `elapsedNanoseconds` after the beginning of frame `label`.
  static func samples(
    label: Int64, elapsedNanoseconds: Int64, sampleRate: SampleRate, frameRate: FrameRate
  ) -> UInt64 {
    // All over the one denominator numerator(R)·10^9.
    let billion: Int128 = 1_000_000_000
    let rate = Int128(sampleRate.hertz)
    let over = Int128(frameRate.numerator) * billion
    let labelled = Int128(label) * Int128(frameRate.denominator) * billion
    let position = rate * (labelled + Int128(elapsedNanoseconds) * Int128(frameRate.numerator))
    let day = rate * Int128(frameRate.framesPerDay) * Int128(frameRate.denominator) * billion

    let wrapped = ((position % day) + day) % day
    let rounded = (2 * wrapped + over) / (2 * over)
    // A drop-frame day is no whole number of samples: its last half sample is the next day's.
    return rounded * over >= day ? 0 : UInt64(rounded)
  }

  /// The frame whose label is a whole civil second; where dropping leaves that label out, the
  /// first frame that has one.
  static func labelFrame(secondOfDay: Int64, rate: FrameRate) -> Int64 {
    let minutes = Int(secondOfDay / 60)
    let isDropped = rate.dropsFrames && secondOfDay % 60 == 0 && minutes % 10 != 0
    let code = Timecode(
      hours: minutes / 60, minutes: minutes % 60, seconds: Int(secondOfDay % 60),
      frames: isDropped ? Int(rate.droppedLabels) : 0, rate: rate)
    guard let code else { preconditionFailure("second \(secondOfDay) of a day has no label") }
    return code.frame
  }
}
