internal import CEbur128

/// Measures loudness (EBU R 128, ITU-R BS.1770) and true peak, by libebur128.
///
/// The channels are microphones and no loudspeakers: each counts with weight 1, and one alone as
/// the one channel that it is.
@safe public struct LoudnessMeter: ~Copyable {
  /// What was measured; nothing for a figure that there is not, such as the loudness of silence.
  public struct Figures: Hashable, Sendable {
    /// Of all that was heard, in LUFS.
    public let integrated: Double?
    /// The loudness range (EBU Tech 3342), in LU.
    public let range: Double?
    /// The highest true peak of any channel, in dBTP.
    public let maxTruePeak: Double?
    /// The loudest 400 ms, in LUFS.
    public let maxMomentary: Double?
    /// The loudest 3 s, in LUFS.
    public let maxShortTerm: Double?
  }

  /// What libebur128 admits.
  public static let channelLimit = 64

  private let handle: UnsafeMutablePointer<ebur128_state>
  private let channels: Int
  /// The windows' loudness is looked at ten times a second, as meters do.
  private let step: Int
  private var pending = 0
  private var maxMomentary = -Double.infinity
  private var maxShortTerm = -Double.infinity

  /// Makes a meter, or nothing where the library cannot measure at such a rate or so many
  /// channels.
  public init?(sampleRateHertz: Int, channels: Int) {
    guard (1...Self.channelLimit).contains(channels) else { return nil }
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
      | EBUR128_MODE_HISTOGRAM.rawValue
    let made = unsafe ebur128_init(
      UInt32(channels), UInt(sampleRateHertz), Int32(bitPattern: mode))
    guard let made = unsafe made else { return nil }
    unsafe handle = unsafe made
    self.channels = channels
    step = max(1, sampleRateHertz / 10)
    for channel in 0..<channels {
      unsafe ebur128_set_channel(made, UInt32(channel), Int32(EBUR128_LEFT.rawValue))
    }
  }

  deinit {
    var ended: UnsafeMutablePointer<ebur128_state>? = unsafe handle
    unsafe ebur128_destroy(&ended)
  }

  /// Hears whole frames, channel after channel, of full scale 1.
  public mutating func hear(_ samples: [Float]) {
    var rest = samples[...]
    while !rest.isEmpty {
      let frames = min(rest.count / channels, step - pending)
      guard frames > 0 else { return }
      unsafe rest.withUnsafeBufferPointer { buffer in
        _ = unsafe ebur128_add_frames_float(handle, buffer.baseAddress, frames)
      }
      rest = rest.dropFirst(frames * channels)
      pending += frames
      if pending == step { look() }
    }
  }

  private mutating func look() {
    pending = 0
    var value = 0.0
    if unsafe ebur128_loudness_momentary(handle, &value) == 0 {
      maxMomentary = max(maxMomentary, value)
    }
    if unsafe ebur128_loudness_shortterm(handle, &value) == 0 {
      maxShortTerm = max(maxShortTerm, value)
    }
  }

  /// What was measured so far.
  public var figures: Figures {
    var integrated = -Double.infinity
    var range = 0.0
    unsafe ebur128_loudness_global(handle, &integrated)
    let hasRange = unsafe ebur128_loudness_range(handle, &range) == 0
    var peak = 0.0
    for channel in 0..<channels {
      var one = 0.0
      if unsafe ebur128_true_peak(handle, UInt32(channel), &one) == 0 { peak = max(peak, one) }
    }
    return Figures(
      integrated: Self.known(integrated),
      range: hasRange && integrated.isFinite ? Self.known(range) : nil,
      maxTruePeak: peak > 0 ? 20 * ebur128_decimal_logarithm(peak) : nil,
      maxMomentary: Self.known(maxMomentary), maxShortTerm: Self.known(maxShortTerm))
  }

  private static func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
