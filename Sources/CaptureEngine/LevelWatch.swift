internal import Glibc
internal import Realtime
internal import Recording
internal import Units

/// Levels of each tenth of a second or more, from every frame of the ring.
struct LevelWatch {
  private let shape: CardShape
  private let bank: MeterBank
  private let window: Int
  private var watched = SampleIndex(0)
  private var signals: [SignalWatch]

  init(shape: CardShape) {
    self.shape = shape
    bank = MeterBank(format: shape.format, channels: shape.cardChannels)
    window = max(1, shape.rate.hertz / 10)
    signals = [SignalWatch](repeating: SignalWatch(), count: shape.channels)
  }

  /// How many samples were at full scale, of all channels.
  var clipped: Int { signals.reduce(0) { $0 + $1.clipped } }

  /// Channels of the file, counted from 1, that have been silent for so long that it is worth a
  /// word.
  var silentChannels: [Int] { signals.indices.filter { signals[$0].isWorthAWord }.map { $0 + 1 } }

  /// Forgets what was clipped and what was silent: the card is armed anew.
  mutating func reset() {
    signals = [SignalWatch](repeating: SignalWatch(), count: shape.channels)
  }

  /// Takes in what has come since the last look; the levels of all since the last ones, once that
  /// is a tenth of a second.
  mutating func look(at ring: FrameRing) -> HostReport.Levels? {
    let end = ring.end
    // After a long wait the oldest are gone, or may be before they are read.
    if (end - watched).value > Int64(ring.capacity / 2) { watched = end }
    while watched < end {
      let count = min(window, Int((end - watched).value))
      _ = ring.read(from: watched, count: count) { bank.add($0) }
      watched = watched + FrameCount(Int64(count))
    }
    return bank.frames >= window ? levels() : nil
  }

  private mutating func levels() -> HostReport.Levels {
    let length = shape.rate.duration(of: FrameCount(Int64(bank.frames)))
    let meters = shape.kept.map { bank.meters[$0] }
    for (place, meter) in meters.enumerated() { signals[place].take(meter, length: length) }
    bank.reset()
    return HostReport.Levels(
      peak: meters.map { Self.decibels($0.peak) }, rms: meters.map { Self.decibels($0.rms) },
      clipped: signals.map(\.clipped), silentSeconds: signals.map { $0.silent.inSeconds })
  }

  /// Tenths of a dB of full scale, or nothing for silence.
  private static func decibels(_ value: Float) -> Double? {
    value > 0 ? (20 * log10(Double(value)) * 10).rounded() / 10 : nil
  }
}
