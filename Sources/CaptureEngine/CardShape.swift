internal import ALSA
internal import BroadcastWave
internal import Recording
internal import Units

/// What a card gives, once it is open, and what is kept of it.
struct CardShape: Sendable {
  /// What the user calls the card, and how ALSA does.
  let name: String
  let pcm: String
  let format: PCMFormat
  let rate: SampleRate
  /// How many channels the card gives.
  let cardChannels: Int
  /// Which of them are recorded, counted from 0.
  let kept: [Int]
  let significantBits: Int
  /// How the files store its samples.
  var encoding = SampleEncoding.integer(bits: 24)

  /// How many channels are recorded.
  var channels: Int { kept.count }

  /// The bytes of a frame of the card.
  var bytesPerFrame: Int { format.bytes * cardChannels }

  var conversion: SampleConversion {
    SampleConversion(format: format, channels: cardChannels, kept: kept, encoding: encoding)
  }

  var waveFormat: WaveFormat {
    WaveFormat(sampleRate: rate, channels: channels, encoding: encoding)
  }

  var description: HostReport.Input {
    let kilohertz =
      rate.hertz % 1000 == 0 ? "\(rate.hertz / 1000)k" : "\(Double(rate.hertz) / 1000)k"
    let of = channels < cardChannels ? " of \(cardChannels)" : ""
    return HostReport.Input(
      description: "\(pcm) \(channels)\(of)ch \(kilohertz) \(format.name)", pcm: name,
      sampleRateHertz: rate.hertz, channels: channels, bits: significantBits)
  }

  /// What the recorded channels are called: by `tracks`, else nothing is said of them.
  func names(from tracks: [Track]) -> [Track] {
    kept.map { place in
      tracks.first { $0.channel == place + 1 } ?? Track(channel: place + 1, name: "")
    }
  }
}
