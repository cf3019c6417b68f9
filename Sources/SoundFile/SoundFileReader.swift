internal import CSndfile
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
  }

  deinit { sf_close(handle) }

  /// Goes to the frame `frame`, counted from the file's first.
  public mutating func seek(to frame: Int64) throws(SoundFileError) {
    if sf_seek(handle, frame, Int32(SEEK_SET)) < 0 { throw failure("sf_seek") }
  }

  /// Up to `count` frames, interleaved, full scale 1; fewer only at the file's end.
  public mutating func read(frames count: Int) throws(SoundFileError) -> [Double] {
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
}
