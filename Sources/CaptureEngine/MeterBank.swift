internal import ALSA
internal import CSamples
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
    let clip = format == .s16 ? LevelMeter.clip16 : LevelMeter.clip
    samples_meter(source, format.samples, rows, width, clip, peaks, energies, clipped)
  }
}

extension PCMFormat {
  /// What the loops over many samples call it.
  fileprivate var samples: samples_format {
    switch self {
    case .s32: SAMPLES_S32
    case .s24: SAMPLES_S24
    case .s24Packed: SAMPLES_S24_3
    case .s16: SAMPLES_S16
    case .float: SAMPLES_FLOAT
    }
  }
}
