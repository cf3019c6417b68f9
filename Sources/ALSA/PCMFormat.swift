internal import CALSA

/// How a card gives its samples.
public enum PCMFormat: Hashable, Sendable, CaseIterable {
  /// 32 bits, low byte first; cards of 24 bits leave the lowest byte empty.
  case s32
  /// 24 bits in three bytes.
  case s24Packed
  /// 24 bits in the lower three of four bytes.
  case s24
  case s16
  case float

  /// The formats in order of preference.
  static let preferred: [PCMFormat] = [.s32, .s24Packed, .s24, .s16, .float]

  /// The bytes of one sample.
  public var bytes: Int {
    switch self {
    case .s32, .s24, .float: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }

  /// The bits that carry sound, at most.
  public var bits: Int {
    switch self {
    case .s32, .float: 32
    case .s24, .s24Packed: 24
    case .s16: 16
    }
  }

  /// ALSA's word for it.
  public var name: String {
    switch self {
    case .s32: "S32_LE"
    case .s24Packed: "S24_3LE"
    case .s24: "S24_LE"
    case .s16: "S16_LE"
    case .float: "FLOAT_LE"
    }
  }

  var code: snd_pcm_format_t {
    switch self {
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s16: SND_PCM_FORMAT_S16_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    }
  }
}
