internal import ALSA
internal import Recording

/// Meters of all channels of a card, fed with its native frames in bulk.
final class MeterBank {
  private let format: PCMFormat
  private let channels: Int
  /// So many frames are taken as one of that many more channels: the processor takes many numbers
  /// at a time, but only of a long row.
  private let fold: Int
  private let peaks: UnsafeMutablePointer<Float>
  private let energies: UnsafeMutablePointer<Float>
  private let clipped: UnsafeMutablePointer<Int32>
  private(set) var meters: [LevelMeter]
  /// How many frames the meters have taken in.
  private(set) var frames = 0

  /// So many frames are summed up in single precision, which costs less than 0.001 dB.
  private static let stretch = 512
  /// The numbers of a row.
  private static let row = 64

  init(format: PCMFormat, channels: Int) {
    self.format = format
    self.channels = channels
    fold = max(1, Self.row / channels)
    peaks = .allocate(capacity: channels * fold)
    energies = .allocate(capacity: channels * fold)
    clipped = .allocate(capacity: channels * fold)
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
    peaks.update(repeating: 0, count: channels * fold)
    energies.update(repeating: 0, count: channels * fold)
    clipped.update(repeating: 0, count: channels * fold)
    let rows = count / fold
    addRows(source, rows: rows, of: channels * fold)
    // What is left of it makes no whole row.
    let rest = source + rows * fold * channels * format.bytes
    addRows(rest, rows: count - rows * fold, of: channels)
    for channel in 0..<channels { settle(channel, count: count) }
    frames += count
  }

  /// Puts together what a row has of one channel.
  private func settle(_ channel: Int, count: Int) {
    var (peak, energy, clips) = (Float(0), 0.0, 0)
    for place in stride(from: channel, to: channels * fold, by: channels) {
      peak = max(peak, peaks[place])
      energy += Double(energies[place])
      clips += Int(clipped[place])
    }
    meters[channel].add(peak: peak, energy: energy, count: count, clipped: clips)
  }

  private func addRows(_ source: UnsafeRawPointer, rows: Int, of width: Int) {
    switch format {
    case .s32:
      sum(rows: rows, of: width) {
        Float((source + 4 * $0).loadUnaligned(as: Int32.self)) * (1 / 2_147_483_648)
      }
    case .s24:
      sum(rows: rows, of: width) {
        Float((source + 4 * $0).loadUnaligned(as: Int32.self) << 8) * (1 / 2_147_483_648)
      }
    case .s24Packed:
      sum(rows: rows, of: width) {
        let from = source + 3 * $0
        let low = Int32(from.loadUnaligned(as: UInt16.self)) << 8
        let high = Int32(from.load(fromByteOffset: 2, as: Int8.self)) << 24
        return Float(high | low) * (1 / 2_147_483_648)
      }
    case .s16:
      sum(rows: rows, of: width) {
        Float((source + 2 * $0).loadUnaligned(as: Int16.self)) * (1 / 32_768)
      }
    case .float: sum(rows: rows, of: width) { (source + 4 * $0).loadUnaligned(as: Float.self) }
    }
  }

  /// Numbers lie beside one another, so that the inner loop takes several at once.
  @inline(__always)
  private func sum(rows: Int, of width: Int, _ value: (_ sample: Int) -> Float) {
    let (peaks, energies, clipped) = (peaks, energies, clipped)
    let clip = format == .s16 ? LevelMeter.clip16 : LevelMeter.clip
    for row in 0..<rows {
      for place in 0..<width {
        let sample = value(row * width + place)
        let magnitude = abs(sample)
        peaks[place] = magnitude > peaks[place] ? magnitude : peaks[place]
        energies[place] += sample * sample
        clipped[place] &+= magnitude >= clip ? 1 : 0
      }
    }
  }
}
