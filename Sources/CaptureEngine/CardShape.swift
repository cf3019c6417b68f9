internal import ALSA
internal import BroadcastWave
internal import Recording
internal import Units

/// What a card gives, once it is open.
struct CardShape: Sendable {
  let pcm: String
  let format: PCMFormat
  let rate: SampleRate
  let channels: Int
  let significantBits: Int
  /// How the files store its samples.
  var encoding = SampleEncoding.integer(bits: 24)

  var bytesPerFrame: Int { format.bytes * channels }

  var waveFormat: WaveFormat {
    WaveFormat(sampleRate: rate, channels: channels, encoding: encoding)
  }

  var description: HostReport.Input {
    let kilohertz =
      rate.hertz % 1000 == 0 ? "\(rate.hertz / 1000)k" : "\(Double(rate.hertz) / 1000)k"
    return HostReport.Input(
      description: "\(pcm) \(channels)ch \(kilohertz)", pcm: pcm, sampleRateHertz: rate.hertz,
      channels: channels, bits: significantBits)
  }
}
