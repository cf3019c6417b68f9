internal import CSoxr

/// A stream of frames taken at another constant rate, at the precision of soxr's "very high
/// quality" with its high-precision clock: 28 bits, linear phase, flat to 98 % of the band.
///
/// The steep filter is what keeps the band: without it 20 kHz at 44.1 kHz loses 0.02 dB.
///
/// Output frame k is the sound at input position k·step: the filter's delay is taken out. Before
/// the first and behind the last input frame there is silence.
@safe public struct Resampler: ~Copyable {
  private let handle: OpaquePointer
  private let channels: Int
  /// Input frames to one output frame.
  public let step: Double

  /// Output frames fetched with one call.
  private static let blockFrames = 8192

  /// Makes a resampler of interleaved frames.
  ///
  /// The corresponding C function is `soxr_create`.
  ///
  /// - Parameters:
  ///   - channels: samples in a frame, 1 or more.
  ///   - step: input frames to one output frame, between 1/256 and 256.
  public init(channels: Int, step: Double) throws(ResamplingError) {
    precondition(channels >= 1, "a stream has at least one channel, not \(channels)")
    precondition((1 / 256.0...256).contains(step), "a step lies between 1/256 and 256, not \(step)")
    var failure: soxr_error_t?
    var io = unsafe soxr_io_spec(SOXR_FLOAT64_I, SOXR_FLOAT64_I)
    var quality = unsafe soxr_quality_spec(
      UInt(SOXR_28_BITQ | SOXR_STEEP_FILTER), UInt(SOXR_HI_PREC_CLOCK | SOXR_ROLLOFF_NONE))
    var runtime = unsafe soxr_runtime_spec(1)
    let made = unsafe soxr_create(step, 1, UInt32(channels), &failure, &io, &quality, &runtime)
    guard let handle = unsafe made else {
      throw ResamplingError(function: "soxr_create", reason: unsafe Self.words(failure))
    }
    unsafe self.handle = handle
    self.channels = channels
    self.step = step
  }

  deinit { unsafe soxr_delete(handle) }

  /// Takes `input` and returns what has become ready, both interleaved.
  ///
  /// The corresponding C function is `soxr_process`.
  public mutating func process(_ input: [Double]) throws(ResamplingError) -> [Double] {
    var output: [Double] = []
    var taken = 0
    let frames = input.count / channels
    while taken < frames {
      let turn = unsafe run(input, from: taken)
      if let failure = unsafe turn.failure {
        throw ResamplingError(function: "soxr_process", reason: unsafe Self.words(failure))
      }
      taken += unsafe turn.taken
      output += unsafe turn.output
      if unsafe turn.taken == 0 && turn.output.isEmpty { break }
    }
    return output
  }

  /// Ends the stream and returns all that is left of it.
  public mutating func finish() throws(ResamplingError) -> [Double] {
    var output: [Double] = []
    while true {
      let turn = unsafe run(nil, from: 0)
      if let failure = unsafe turn.failure {
        throw ResamplingError(function: "soxr_process", reason: unsafe Self.words(failure))
      }
      if unsafe turn.output.isEmpty { return output }
      output += unsafe turn.output
    }
  }

  /// What one call did.
  @unsafe private struct Turn {
    var taken = 0
    var output: [Double] = []
    var failure: soxr_error_t?
  }

  private func run(_ input: [Double]?, from start: Int) -> Turn {
    var turn = unsafe Turn()
    var taken = 0
    var made = 0
    let output = unsafe [Double](unsafeUninitializedCapacity: Self.blockFrames * channels) {
      buffer, used in
      if let input {
        unsafe input.withUnsafeBufferPointer { samples in
          unsafe turn.failure = soxr_process(
            handle, samples.baseAddress.map { unsafe $0 + start * channels },
            input.count / channels - start, &taken, buffer.baseAddress, Self.blockFrames, &made)
        }
      } else {
        unsafe turn.failure = soxr_process(
          handle, nil, 0, nil, buffer.baseAddress, Self.blockFrames, &made)
      }
      used = made * channels
    }
    unsafe turn.taken = taken
    unsafe turn.output = output
    return unsafe turn
  }

  private static func words(_ failure: soxr_error_t?) -> String {
    unsafe failure.map { unsafe String(cString: $0) } ?? "unknown error"
  }
}
