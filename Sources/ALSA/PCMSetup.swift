internal import CALSA
internal import Glibc
internal import Units

/// The opening of a device: what it is asked for, and what it gives.
struct PCMSetup {
  struct Negotiated {
    let format: PCMFormat
    let channels: Int
    let bufferFrames: Int
    let periodFrames: Int
    let significantBits: Int
    let stampsAreRaw: Bool
  }

  let handle: OpaquePointer
  let name: String

  init(opening name: String) throws(ALSAError) {
    var opened: OpaquePointer?
    // Without NONBLOCK an open of a busy device would wait for it.
    let status = snd_pcm_open(
      &opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard status >= 0, let opened else {
      if status == -EBUSY || status == -EAGAIN {
        throw ALSAError(
          reason: .busy(holder: CardHolder.of(pcm: name)), function: "snd_pcm_open", subject: name)
      }
      throw ALSAError(code: status, function: "snd_pcm_open", subject: name)
    }
    handle = opened
    self.name = name
    // What converts in silence would hide the card's own crystal and its own samples.
    guard snd_pcm_type(opened) != SND_PCM_TYPE_PLUG else {
      snd_pcm_close(opened)
      throw ALSAError(
        reason: .unsupported(
          has: "converts and resamples in silence; name the card itself (recorder cards lists them)"
        ), function: "snd_pcm_open", subject: name)
    }
  }

  func negotiate(rate: SampleRate, channels: PCMChannels?) throws(ALSAError) -> Negotiated {
    var hardware: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&hardware) >= 0, let hardware else {
      throw ALSAError(code: -ENOMEM, function: "snd_pcm_hw_params_malloc", subject: name)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(handle, hardware), "snd_pcm_hw_params_any")
    // A rate that is made by resampling in the plugin layer would hide the card's own crystal.
    try check(
      snd_pcm_hw_params_set_rate_resample(handle, hardware, 0),
      "snd_pcm_hw_params_set_rate_resample")
    try check(
      snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access")
    let format = try chooseFormat(hardware)
    let count = try chooseChannels(hardware, wanted: channels)
    try setRate(hardware, rate: rate)
    var period = snd_pcm_uframes_t(max(rate.hertz / 100, 16))
    var buffer = snd_pcm_uframes_t(rate.hertz * 2)
    var direction: Int32 = 0
    try check(
      snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, &direction),
      "snd_pcm_hw_params_set_period_size_near")
    try check(
      snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer),
      "snd_pcm_hw_params_set_buffer_size_near")
    try check(snd_pcm_hw_params(handle, hardware), "snd_pcm_hw_params")
    try check(snd_pcm_hw_params_get_buffer_size(hardware, &buffer), "snd_pcm_hw_params")
    try check(snd_pcm_hw_params_get_period_size(hardware, &period, &direction), "snd_pcm_hw_params")
    let significant = Int(snd_pcm_hw_params_get_sbits(hardware))
    let raw = try setSoftware(quiet: buffer)
    return Negotiated(
      format: format, channels: count, bufferFrames: Int(buffer), periodFrames: Int(period),
      significantBits: significant > 0 ? min(significant, format.bits) : format.bits,
      stampsAreRaw: raw)
  }

  /// Room for the device's answers about its state.
  func makeStatus() throws(ALSAError) -> OpaquePointer {
    var room: OpaquePointer?
    guard snd_pcm_status_malloc(&room) >= 0, let room else {
      throw ALSAError(code: -ENOMEM, function: "snd_pcm_status_malloc", subject: name)
    }
    return room
  }

  private func chooseFormat(_ hardware: OpaquePointer) throws(ALSAError) -> PCMFormat {
    for format in PCMFormat.preferred
    where snd_pcm_hw_params_test_format(handle, hardware, format.code) == 0 {
      try check(
        snd_pcm_hw_params_set_format(handle, hardware, format.code), "snd_pcm_hw_params_set_format")
      return format
    }
    throw unsupported(
      "gives none of the formats \(PCMFormat.preferred.map(\.name).joined(separator: ", "))",
      "snd_pcm_hw_params_set_format")
  }

  private func chooseChannels(
    _ hardware: OpaquePointer, wanted: PCMChannels?
  ) throws(ALSAError) -> Int {
    var least: UInt32 = 0
    var most: UInt32 = 0
    try check(
      snd_pcm_hw_params_get_channels_min(hardware, &least), "snd_pcm_hw_params_get_channels_min")
    try check(
      snd_pcm_hw_params_get_channels_max(hardware, &most), "snd_pcm_hw_params_get_channels_max")
    let limit = min(Int(most), PCMChannels.most)
    let count =
      switch wanted {
      case nil: min(max(2, Int(least)), limit)
      case .exactly(let count): count
      case .atLeast(let count):
        // A card may lack some counts in between, such as odd ones.
        (count...max(count, limit)).first {
          snd_pcm_hw_params_test_channels(handle, hardware, UInt32($0)) == 0
        } ?? count
      }
    guard (1...PCMChannels.most).contains(count),
      snd_pcm_hw_params_set_channels(handle, hardware, UInt32(count)) >= 0
    else {
      let range = least == most ? "\(least)" : "\(least) to \(limit)"
      let wanted =
        switch wanted {
        case .atLeast(let channel): "channel \(channel)"
        case .exactly, nil: "\(count) channels"
        }
      throw unsupported(
        "has no \(wanted); it has \(range): choose with --channels",
        "snd_pcm_hw_params_set_channels")
    }
    return count
  }

  private func setRate(_ hardware: OpaquePointer, rate: SampleRate) throws(ALSAError) {
    if snd_pcm_hw_params_set_rate(handle, hardware, UInt32(rate.hertz), 0) >= 0 { return }
    let native = CardAbilities.usualRates.filter {
      snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
    }
    let list = native.map { "\($0)" }.joined(separator: ", ")
    throw unsupported(
      "cannot run at \(rate.hertz) Hz; its own rates are \(list.isEmpty ? "none" : list) Hz: "
        + "choose one with --rate",
      "snd_pcm_hw_params_set_rate")
  }

  /// Sets thresholds and stamps; whether the stamps are in the host's own time.
  ///
  /// - Parameter quiet: how many frames may wait before the driver wakes whoever waits for them:
  ///   a capture thread looks by the clock.
  private func setSoftware(quiet: snd_pcm_uframes_t) throws(ALSAError) -> Bool {
    var software: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&software) >= 0, let software else {
      throw ALSAError(code: -ENOMEM, function: "snd_pcm_sw_params_malloc", subject: name)
    }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(handle, software), "snd_pcm_sw_params_current")
    var boundary = snd_pcm_uframes_t(0)
    try check(
      snd_pcm_sw_params_get_boundary(software, &boundary), "snd_pcm_sw_params_get_boundary")
    // A stream that never stops by itself tells exactly how much was lost when it was not read.
    try check(
      snd_pcm_sw_params_set_stop_threshold(handle, software, boundary),
      "snd_pcm_sw_params_set_stop_threshold")
    try check(
      snd_pcm_sw_params_set_avail_min(handle, software, quiet), "snd_pcm_sw_params_set_avail_min")
    try check(
      snd_pcm_sw_params_set_tstamp_mode(handle, software, SND_PCM_TSTAMP_ENABLE),
      "snd_pcm_sw_params_set_tstamp_mode")
    for (kind, raw) in [
      (SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW, true), (SND_PCM_TSTAMP_TYPE_MONOTONIC, false),
    ] {
      guard snd_pcm_sw_params_set_tstamp_type(handle, software, kind) >= 0 else { continue }
      if snd_pcm_sw_params(handle, software) >= 0 { return raw }
    }
    try check(snd_pcm_sw_params(handle, software), "snd_pcm_sw_params")
    return false
  }

  private func unsupported(_ has: String, _ function: String) -> ALSAError {
    ALSAError(reason: .unsupported(has: has), function: function, subject: name)
  }

  private func check(_ status: Int32, _ function: String) throws(ALSAError) {
    if status < 0 { throw ALSAError(code: status, function: function, subject: name) }
  }
}
