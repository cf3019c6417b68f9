internal import ALSA
internal import Recording

/// Meters of all channels of a card, fed with its native frames in bulk.
final class MeterBank {
  private let format: PCMFormat
  private let channels: Int
  private let peaks: UnsafeMutablePointer<Float>
  private let energies: UnsafeMutablePointer<Float>
  private let clipped: UnsafeMutablePointer<Int32>
  private(set) var meters: [LevelMeter]
  /// How many frames the meters have taken in.
  private(set) var frames = 0

  /// So many frames are summed up in single precision, which costs less than 0.001 dB.
  private static let stretch = 512

  init(format: PCMFormat, channels: Int) {
    self.format = format
    self.channels = channels
    peaks = .allocate(capacity: channels)
    energies = .allocate(capacity: channels)
    clipped = .allocate(capacity: channels)
    meters = [LevelMeter](repeating: LevelMeter(), count: channels)
  }

  deinit {
    peaks.deallocate()
    energies.deallocate()
    clipped.deallocate()
  }

  /// Begins anew.
  func reset() {
    meters = [LevelMeter](repeating: LevelMeter(), count: channels)
    frames = 0
  }

  /// Takes whole frames in.
  func add(_ source: UnsafeRawBufferPointer) {
    let width = format.bytes * channels
    var place = 0
    while source.count - place >= width, let start = source.baseAddress {
      let count = min(Self.stretch, (source.count - place) / width)
      addStretch(start + place, frames: count)
      place += count * width
    }
  }

  private func addStretch(_ source: UnsafeRawPointer, frames count: Int) {
    peaks.update(repeating: 0, count: channels)
    energies.update(repeating: 0, count: channels)
    clipped.update(repeating: 0, count: channels)
    switch format {
    case .s32:
      sum(frames: count) {
        Float((source + 4 * $0).loadUnaligned(as: Int32.self)) * (1 / 2_147_483_648)
      }
    case .s24:
      sum(frames: count) {
        Float((source + 4 * $0).loadUnaligned(as: Int32.self) << 8) * (1 / 2_147_483_648)
      }
    case .s24Packed:
      sum(frames: count) {
        let from = source + 3 * $0
        let low = Int32(from.loadUnaligned(as: UInt16.self)) << 8
        let high = Int32(from.load(fromByteOffset: 2, as: Int8.self)) << 24
        return Float(high | low) * (1 / 2_147_483_648)
      }
    case .s16:
      sum(frames: count) {
        Float((source + 2 * $0).loadUnaligned(as: Int16.self)) * (1 / 32_768)
      }
    case .float: sum(frames: count) { (source + 4 * $0).loadUnaligned(as: Float.self) }
    }
    for channel in 0..<channels {
      meters[channel].add(
        peak: peaks[channel], energy: Double(energies[channel]), count: count,
        clipped: Int(clipped[channel]))
    }
    frames += count
  }

  /// Channels lie beside one another, so that the inner loop takes several at once.
  @inline(__always)
  private func sum(frames: Int, _ value: (_ sample: Int) -> Float) {
    let (peaks, energies, clipped, channels) = (peaks, energies, clipped, channels)
    let clip = format == .s16 ? LevelMeter.clip16 : LevelMeter.clip
    for frame in 0..<frames {
      for channel in 0..<channels {
        let sample = value(frame * channels + channel)
        let magnitude = abs(sample)
        peaks[channel] = magnitude > peaks[channel] ? magnitude : peaks[channel]
        energies[channel] += sample * sample
        clipped[channel] &+= magnitude >= clip ? 1 : 0
      }
    }
  }
}
