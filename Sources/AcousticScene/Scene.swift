internal import Units

/// A scene of sound that repeats for ever: what the virtual cards hear.
///
/// Claps, a sweep, noise with the rhythm of speech, and an ambience that is never silent, so
/// that any stretch of it tells its place. The whole follows from the seed. There is next to
/// nothing above a third of the rate, where interpolators differ.
public struct Scene: Sendable {
  /// The samples of one round, within ±1.
  public let samples: [Float]
  /// Samples per second of true time.
  public let rateHertz: Double

  /// The length of one round in seconds.
  public var seconds: Double { Double(samples.count) / rateHertz }

  /// Makes the scene that `seed` names, of `seconds` whole seconds at `rateHertz`.
  public init(seed: UInt64, seconds: Int, rateHertz: Int = 48_000) {
    precondition(seconds >= 1 && rateHertz >= 8_000, "a scene has a length and a rate")
    var painter = ScenePainter(seed: seed, count: seconds * rateHertz, rateHertz: rateHertz)
    painter.addAmbience()
    painter.addSpeech()
    painter.addSweep()
    painter.addClaps()
    samples = painter.finished()
    self.rateHertz = Double(rateHertz)
  }

  /// The samples as bytes: float32, little-endian, as the virtual card reads them.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 4)
    for sample in samples {
      let bits = sample.bitPattern
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
    }
    return bytes
  }
}
