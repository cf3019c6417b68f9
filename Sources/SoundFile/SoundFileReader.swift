internal import CSndfile
internal import FFT
public import Units

/// A sound file opened for reading, of any kind that libsndfile knows.
///
/// A reader owns its file: it cannot be copied, and the file is closed when the reader goes out
/// of scope.
public struct SoundFileReader: ~Copyable {
  /// The file's path.
  public let path: String
  /// Frames that the file says it holds.
  public let frames: FrameCount
  public let channels: Int
  public let sampleRate: SampleRate
  /// The width of a sample in bits, or nil where the file holds something else than integers
  /// of 8 to 32 bits or floating point.
  public let bits: Int?

  private let handle: OpaquePointer
  /// The bytes of a sample where they lie in the file as plain integers, low byte first: those are
  /// taken by us, a block with one call.
  private let plainWidth: Int?

  /// Opens the file at `path`.
  ///
  /// The corresponding C function is `sf_open`.
  public init(path: String) throws(SoundFileError) {
    var information = SF_INFO()
    guard let handle = sf_open(path, Int32(SFM_READ), &information) else {
      throw SoundFileError(function: "sf_open", path: path, reason: Self.words(of: nil))
    }
    self.handle = handle
    self.path = path
    frames = FrameCount(information.frames)
    channels = Int(information.channels)
    sampleRate = SampleRate(hertz: max(1, Int(information.samplerate)))
    bits = Self.bits(ofFormat: Int(information.format))
    plainWidth = Self.plainWidth(ofFormat: Int(information.format))
  }

  deinit { sf_close(handle) }

  /// Goes to the frame `frame`, counted from the file's first.
  public mutating func seek(to frame: Int64) throws(SoundFileError) {
    if sf_seek(handle, frame, Int32(SEEK_SET)) < 0 { throw failure("sf_seek") }
  }

  /// Up to `count` frames, interleaved, full scale 1; fewer only at the file's end.
  public mutating func read(frames count: Int) throws(SoundFileError) -> [Double] {
    if let plainWidth {
      return PackedSamples.doubles(of: try bytes(frames: count), width: plainWidth)
    }
    var done: Int64 = 0
    let samples = [Double](unsafeUninitializedCapacity: count * channels) { buffer, used in
      done = sf_readf_double(handle, buffer.baseAddress, Int64(count))
      used = Int(max(0, done)) * channels
    }
    try check(done, "sf_readf_double")
    return samples
  }

  /// Up to `count` frames, interleaved, full scale 1, in single precision; fewer only at the file's
  /// end.
  public mutating func readFloats(frames count: Int) throws(SoundFileError) -> [Float] {
    if let plainWidth {
      return PackedSamples.floats(of: try bytes(frames: count), width: plainWidth)
    }
    var done: Int64 = 0
    let samples = [Float](unsafeUninitializedCapacity: count * channels) { buffer, used in
      done = sf_readf_float(handle, buffer.baseAddress, Int64(count))
      used = Int(max(0, done)) * channels
    }
    try check(done, "sf_readf_float")
    return samples
  }

  /// Up to `count` frames, interleaved, as integers whose full scale is 2^31; fewer only at the
  /// file's end.
  public mutating func readIntegers(frames count: Int) throws(SoundFileError) -> [Int32] {
    var done: Int64 = 0
    let samples = [Int32](unsafeUninitializedCapacity: count * channels) { buffer, used in
      done = sf_readf_int(handle, buffer.baseAddress, Int64(count))
      used = Int(max(0, done)) * channels
    }
    try check(done, "sf_readf_int")
    return samples
  }

  /// The bytes of up to `count` whole frames as they lie in the file. A torn frame at the end of
  /// the data, which libsndfile does not count, comes with them otherwise.
  private mutating func bytes(frames count: Int) throws(SoundFileError) -> [UInt8] {
    let frameBytes = channels * (plainWidth ?? 0)
    let wanted = count * frameBytes
    var done: Int64 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, used in
      done = sf_read_raw(handle, buffer.baseAddress, Int64(wanted))
      let whole = max(0, Int(done))
      used = frameBytes > 0 ? whole - whole % frameBytes : 0
    }
    try check(done, "sf_read_raw")
    return bytes
  }

  private func check(_ done: Int64, _ function: String) throws(SoundFileError) {
    if done < 0 || sf_error(handle) != Int32(SF_ERR_NO_ERROR) { throw failure(function) }
  }

  private func failure(_ function: String) -> SoundFileError {
    SoundFileError(function: function, path: path, reason: Self.words(of: handle))
  }

  private static func words(of handle: OpaquePointer?) -> String {
    sf_strerror(handle).map { String(cString: $0) } ?? "unknown error"
  }

  private static func bits(ofFormat format: Int) -> Int? {
    switch format & SF_FORMAT_SUBMASK {
    case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8): 8
    case Int(SF_FORMAT_PCM_16): 16
    case Int(SF_FORMAT_PCM_24): 24
    case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_FLOAT): 32
    case Int(SF_FORMAT_DOUBLE): 64
    default: nil
    }
  }

  /// The width of a sample in bytes where the file holds integers, low byte first, and nothing
  /// packed.
  private static func plainWidth(ofFormat format: Int) -> Int? {
    let kinds = [SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64].map { Int($0) }
    let order = format & Int(SF_FORMAT_ENDMASK)
    guard kinds.contains(format & Int(SF_FORMAT_TYPEMASK)),
      order == Int(SF_ENDIAN_FILE) || order == Int(SF_ENDIAN_LITTLE)
    else { return nil }
    switch format & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_PCM_16): return 2
    case Int(SF_FORMAT_PCM_24): return 3
    case Int(SF_FORMAT_PCM_32): return 4
    default: return nil
    }
  }
}
