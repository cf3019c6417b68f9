/// Measures by ear how well recorded sound lies on a timeline: against the scene itself.
///
/// For each stretch the expected sound is rendered at each frame's instant. Integer lags are
/// tried first; from the best one, least squares fit level and delay until the delay stands
/// still, so that the figure is good to a thousandth of a sample in clean sound.
public struct ResidualMeter: Sendable {
  /// The largest shift that is looked for, in samples either way.
  public static let reach = 480
  /// Below this correlation, sound is not the expected one.
  public static let leastCoherence = 0.8

  private let interpolator: ReferenceInterpolator

  /// Makes a meter of sound that heard `scene`.
  public init(scene: Scene) { interpolator = ReferenceInterpolator(scene: scene) }

  /// The residuals of `audio`, in stretches of `stretch` frames; a last one shorter than half a
  /// stretch is left out.
  ///
  /// - Parameter sceneSeconds: the seconds after the scene's first sample that the frame should
  ///   hold. Within a stretch it is taken for a line.
  public func residuals(
    of audio: [Double], stretch: Int, sceneSeconds: (Double) -> Double
  ) -> [Residual] {
    precondition(stretch >= 64, "a stretch holds 64 frames or more, not \(stretch)")
    return stride(from: 0, to: audio.count, by: stretch).compactMap { start in
      let end = min(start + stretch, audio.count)
      guard end - start >= stretch / 2, end - start >= 64 else { return nil }
      return residual(of: audio, in: start..<end, sceneSeconds: sceneSeconds)
    }
  }

  /// The residual of the frames `range` of `audio`.
  public func residual(
    of audio: [Double], in range: Range<Int>, sceneSeconds: (Double) -> Double
  ) -> Residual {
    let line = Line(over: range, sceneSeconds)
    var late = Double(bestLag(of: audio, in: range, line: line))
    for _ in 0..<6 {
      let expected = render(range, late: late, line: line)
      guard let step = Self.lateness(of: audio, in: range, against: expected) else { break }
      late += min(max(step, -0.5), 0.5)
      if step.magnitude < 1e-4 { break }
    }
    let expected = render(range, late: late, line: line)
    let coherence = Self.correlation(of: audio, in: range, with: expected, offset: 1)
    let isKnown = coherence >= Self.leastCoherence && late.magnitude <= Double(Self.reach) + 0.5
    return Residual(
      frame: range.lowerBound, samples: isKnown ? late : nil, coherence: coherence)
  }

  /// What should stand in `range` and one frame more on either side, when it comes late.
  private func render(_ range: Range<Int>, late: Double, line: Line) -> [Double] {
    (range.lowerBound - 1...range.upperBound).map { frame in
      interpolator.value(atSeconds: line.seconds(at: Double(frame) - late))
    }
  }

  /// The whole number of samples by which the sound is late: judged by the middle of the range.
  private func bestLag(of audio: [Double], in range: Range<Int>, line: Line) -> Int {
    let length = min(range.count, 2_048)
    let start = range.lowerBound + (range.count - length) / 2
    let section = start..<start + length
    let expected = (start - Self.reach..<start + length + Self.reach).map {
      interpolator.value(atSeconds: line.seconds(at: Double($0)))
    }
    var best = (lag: 0, correlation: -2.0)
    for lag in -Self.reach...Self.reach {
      let found = Self.correlation(
        of: audio, in: section, with: expected, offset: Self.reach - lag)
      if found > best.correlation { best = (lag, found) }
    }
    return best.lag
  }

  /// The normalised correlation of `range` with as many values from `offset` on.
  private static func correlation(
    of audio: [Double], in range: Range<Int>, with expected: [Double], offset: Int
  ) -> Double {
    var product = 0.0
    var power = 0.0
    var expectedPower = 0.0
    for step in 0..<range.count {
      let heard = audio[range.lowerBound + step]
      let wanted = expected[offset + step]
      product += heard * wanted
      power += heard * heard
      expectedPower += wanted * wanted
    }
    return power > 0 && expectedPower > 0 ? product / (power * expectedPower).squareRoot() : 0
  }

  /// How much later the sound is than `expected`, which begins one frame before the range: the
  /// least-squares fit of level times the expected, less its slope times the delay.
  private static func lateness(
    of audio: [Double], in range: Range<Int>, against expected: [Double]
  ) -> Double? {
    var valueValue = 0.0
    var valueSlope = 0.0
    var slopeSlope = 0.0
    var heardValue = 0.0
    var heardSlope = 0.0
    for step in 0..<range.count {
      let heard = audio[range.lowerBound + step]
      let value = expected[step + 1]
      // A crude slope is enough: where the delay is right, the remainder is nil for any slope.
      let slope = (expected[step + 2] - expected[step]) / 2
      valueValue += value * value
      valueSlope += value * slope
      slopeSlope += slope * slope
      heardValue += heard * value
      heardSlope += heard * slope
    }
    let determinant = valueValue * slopeSlope - valueSlope * valueSlope
    guard determinant > 0 else { return nil }
    let level = (heardValue * slopeSlope - heardSlope * valueSlope) / determinant
    let tilt = (heardSlope * valueValue - heardValue * valueSlope) / determinant
    return level > 0 ? -tilt / level : nil
  }
}

/// Which second of the scene each frame of a range should hold, as a line.
private struct Line {
  private let firstFrame: Double
  private let firstSeconds: Double
  private let secondsPerFrame: Double

  init(over range: Range<Int>, _ sceneSeconds: (Double) -> Double) {
    firstFrame = Double(range.lowerBound)
    firstSeconds = sceneSeconds(firstFrame)
    let last = Double(range.upperBound)
    secondsPerFrame = (sceneSeconds(last) - firstSeconds) / (last - firstFrame)
  }

  func seconds(at frame: Double) -> Double {
    firstSeconds + (frame - firstFrame) * secondsPerFrame
  }
}
