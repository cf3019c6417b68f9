public import Units

/// A label of a timecode frame, such as `12:39:59:00`, at a frame rate.
///
/// Frame n of a day begins at sample ceil(n·S/R), and sample t lies in frame floor(t·R/S), where
/// S is the sample rate and R the exact frame rate. All in integers.
public struct Timecode: Hashable, Sendable {
  public let rate: FrameRate
  /// The frame of the timecode day, from 0.
  public let frame: Int64

  /// Makes the label of a frame counted from 00:00:00:00; other days' frames wrap into the day.
  public init(frame: Int64, rate: FrameRate) {
    self.rate = rate
    let rest = frame % rate.framesPerDay
    self.frame = rest < 0 ? rest + rate.framesPerDay : rest
  }

  /// Makes a label of its parts, or nothing where there is no such label: a part is out of range
  /// or the label is one that drop-frame counting leaves out.
  public init?(hours: Int, minutes: Int, seconds: Int, frames: Int, rate: FrameRate) {
    guard
      (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds),
      (0..<Int(rate.nominal)).contains(frames)
    else { return nil }
    let dropped = Int(rate.droppedLabels)
    if seconds == 0, minutes % 10 != 0, frames < dropped { return nil }
    let minute = Int64(60 * hours + minutes)
    let label = (minute * 60 + Int64(seconds)) * rate.nominal + Int64(frames)
    self.rate = rate
    frame = label - Int64(dropped) * (minute - minute / 10)
  }

  /// Makes the label of the frame in which sample `sample` of a timecode day lies.
  public init(sample: UInt64, sampleRate: SampleRate, rate: FrameRate) {
    let over = Int128(rate.denominator) * Int128(sampleRate.hertz)
    self.init(frame: Int64(Int128(sample) * Int128(rate.numerator) / over), rate: rate)
  }

  /// The first sample of this frame, counted from 00:00:00:00.
  public func firstSample(sampleRate: SampleRate) -> UInt64 {
    let product = Int128(frame) * Int128(rate.denominator) * Int128(sampleRate.hertz)
    let over = Int128(rate.numerator)
    return UInt64((product + over - 1) / over)
  }

  /// The frame's number among labels, dropped ones counted.
  private var label: Int64 {
    let dropped = rate.droppedLabels
    if dropped == 0 { return frame }
    let tenMinutes = 600 * rate.nominal - 9 * dropped
    let minute = 60 * rate.nominal - dropped
    let (tens, rest) = frame.quotientAndRemainder(dividingBy: tenMinutes)
    let within = rest > dropped ? dropped * ((rest - dropped) / minute) : 0
    return frame + 9 * dropped * tens + within
  }

  public var hours: Int { Int(label / (3600 * rate.nominal)) }
  public var minutes: Int { Int(label / (60 * rate.nominal) % 60) }
  public var seconds: Int { Int(label / rate.nominal % 60) }
  public var frames: Int { Int(label % rate.nominal) }
}

extension Timecode: CustomStringConvertible {
  /// Such as `01:00:00:00`, and `01:00:00;02` where labels are dropped.
  public var description: String {
    let parts = [hours, minutes, seconds].map { ASCII.decimal($0, digits: 2) }
    return parts.joined(separator: ":") + (rate.dropsFrames ? ";" : ":")
      + ASCII.decimal(frames, digits: 2)
  }

  /// Reads a label such as `01:00:00:00`; `;` before the frames is allowed where labels are
  /// dropped. Nothing where there is no such label at `rate`.
  public init?(_ text: String, rate: FrameRate) {
    let parts = text.split(whereSeparator: { $0 == ":" || $0 == ";" }).map { Int($0) }
    let separators = text.filter { $0 == ":" || $0 == ";" }
    guard
      parts.count == 4, separators == ":::" || (separators == "::;" && rate.dropsFrames),
      text.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == 58 || $0 == 59 }),
      let hours = parts[0], let minutes = parts[1], let seconds = parts[2], let frames = parts[3]
    else { return nil }
    self.init(hours: hours, minutes: minutes, seconds: seconds, frames: frames, rate: rate)
  }
}
