internal import CALSA
internal import Glibc
public import Units

/// What a device gives by itself, without anything in between that converts.
public struct CardAbilities: Hashable, Sendable {
  /// The formats that can be recorded, the best first.
  public let formats: [PCMFormat]
  /// Of the usual rates, those that it has.
  public let rates: [SampleRate]
  /// How many channels it can be opened with, up to 64.
  public let channels: [Int]

  /// The rates that are usual, in Hz.
  public static let usualRates = [
    8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]

  /// Opens the device that ALSA calls `pcm` for a moment, and asks.
  ///
  /// - Throws: ``ALSAError`` with the reason `noSuchDevice` or `busy`, as a rule.
  public init(of pcm: String) throws(ALSAError) {
    let setup = try PCMSetup(opening: pcm)
    defer { snd_pcm_close(setup.handle) }
    self = try setup.abilities()
  }

  init(formats: [PCMFormat], rates: [SampleRate], channels: [Int]) {
    self.formats = formats
    self.rates = rates
    self.channels = channels
  }
}

extension PCMSetup {
  /// What the open device can do.
  func abilities() throws(ALSAError) -> CardAbilities {
    var hardware: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&hardware) >= 0, let hardware else {
      throw ALSAError(code: -ENOMEM, function: "snd_pcm_hw_params_malloc", subject: name)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    let status = snd_pcm_hw_params_any(handle, hardware)
    guard status >= 0 else {
      throw ALSAError(code: status, function: "snd_pcm_hw_params_any", subject: name)
    }
    _ = snd_pcm_hw_params_set_rate_resample(handle, hardware, 0)
    return CardAbilities(
      formats: PCMFormat.preferred.filter {
        snd_pcm_hw_params_test_format(handle, hardware, $0.code) == 0
      },
      rates: CardAbilities.usualRates.filter {
        snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
      }.map { SampleRate(hertz: $0) },
      channels: (1...PCMChannels.most).filter {
        snd_pcm_hw_params_test_channels(handle, hardware, UInt32($0)) == 0
      })
  }
}
