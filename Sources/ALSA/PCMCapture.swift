internal import CALSA
internal import Glibc
public import HostClock
public import Units

/// A sound device opened for capture.
///
/// A capture owns its device: it cannot be copied, and the device is closed when the capture goes
/// out of scope. Of the calls, those that a capture thread makes (``wait(milliseconds:)``,
/// ``position()``, ``read(into:frames:)``, ``forward(_:)``) neither allocate nor lock.
public struct PCMCapture: ~Copyable, Sendable {
  /// Safe to share: it is used by one thread at a time, since a capture cannot be copied.
  nonisolated(unsafe) private let handle: OpaquePointer
  /// Room for an answer of the device, made once so that asking does not allocate. Safe to share
  /// for the same reason.
  nonisolated(unsafe) private let status: OpaquePointer
  private let clock: HostClock
  private let monotonic: Bool
  /// The name that the device was opened by.
  public let name: String
  public let format: PCMFormat
  public let rate: SampleRate
  public let channels: Int
  /// How many frames the device's own buffer holds.
  public let bufferFrames: Int
  public let periodFrames: Int
  /// The bits that carry sound, where the device tells; else those of the format.
  public let significantBits: Int

  /// Opens the device named `name`, such as `hw:2,0`, in its native format, and makes it ready.
  ///
  /// The buffer is as large as the device gives, up to two seconds; its periods are of 10 ms.
  ///
  /// - Parameter channels: how many; nothing: as few as the device has, but two where it can.
  /// - Throws: ``ALSAError`` with the reason `noSuchDevice`, `busy` or `unsupported`, as a rule.
  public init(
    opening name: String, rate: SampleRate, channels: PCMChannels?, clock: HostClock = HostClock()
  ) throws(ALSAError) {
    let setup = try PCMSetup(opening: name)
    let negotiated: PCMSetup.Negotiated
    do {
      negotiated = try setup.negotiate(rate: rate, channels: channels)
      status = try setup.makeStatus()
    } catch {
      snd_pcm_close(setup.handle)
      throw error
    }
    handle = setup.handle
    self.clock = clock
    self.name = name
    self.rate = rate
    format = negotiated.format
    self.channels = negotiated.channels
    bufferFrames = negotiated.bufferFrames
    periodFrames = negotiated.periodFrames
    significantBits = negotiated.significantBits
    monotonic = !negotiated.stampsAreRaw
  }

  deinit {
    snd_pcm_status_free(status)
    snd_pcm_close(handle)
  }

  /// The bytes of one frame.
  public var bytesPerFrame: Int { format.bytes * channels }

  /// Starts the stream.
  public func start() throws(ALSAError) {
    try check(snd_pcm_start(handle), "snd_pcm_start")
  }

  /// Makes a stopped stream ready to be started again.
  public func prepare() throws(ALSAError) {
    try check(snd_pcm_prepare(handle), "snd_pcm_prepare")
  }

  /// Waits until there is something to read; false after `milliseconds` without.
  public func wait(milliseconds: Int32) -> Bool { snd_pcm_wait(handle, milliseconds) > 0 }

  /// How far the device is.
  public struct Position: Sendable {
    /// Frames that wait to be read. More than the buffer holds: the rest is lost.
    public let available: Int
    /// When that was so: by the driver where it says, else by a reading around the call.
    public let host: HostInstant
    /// Whether the driver said so.
    public let isStamped: Bool
  }

  /// Asks how far the device is.
  ///
  /// - Throws: `overrun` or `suspended` where the stream has stopped, `disconnected` where the
  ///   device is gone.
  public func position() throws(ALSAError) -> Position {
    try check(snd_pcm_status(handle, status), "snd_pcm_status")
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_XRUN: throw failure(.overrun)
    case SND_PCM_STATE_SUSPENDED: throw failure(.suspended)
    case SND_PCM_STATE_DISCONNECTED: throw failure(.disconnected)
    default: return stamped()
    }
  }

  private func stamped() -> Position {
    let available = Int(snd_pcm_status_get_avail(status))
    var stamp = timespec()
    snd_pcm_status_get_htstamp(status, &stamp)
    let nanoseconds = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    let after = clock.now()
    guard nanoseconds > 0 else {
      return Position(available: available, host: after, isStamped: false)
    }
    let host =
      monotonic
      ? clock.monotonicSandwich().host(ofOther: nanoseconds)
      : HostInstant(nanoseconds: nanoseconds)
    // A stamp may be as old as the last period, but not from before the stream or from the future.
    guard host <= after, after - host < .seconds(1) else {
      return Position(available: available, host: after, isStamped: false)
    }
    return Position(available: available, host: host, isStamped: true)
  }

  /// Reads up to `frames` frames that wait; how many there were.
  public func read(
    into target: UnsafeMutableRawPointer, frames: Int
  ) throws(ALSAError) -> Int {
    let count = snd_pcm_readi(handle, target, snd_pcm_uframes_t(frames))
    if count == -Int(EAGAIN) { return 0 }
    try check(Int32(truncatingIfNeeded: min(count, 0)), "snd_pcm_readi")
    return count
  }

  /// Leaves out `frames` frames that are lost; how many it left out.
  public func forward(_ frames: Int) throws(ALSAError) -> Int {
    let count = snd_pcm_forward(handle, snd_pcm_uframes_t(frames))
    try check(Int32(truncatingIfNeeded: min(count, 0)), "snd_pcm_forward")
    return count
  }

  private func failure(_ reason: ALSAError.Reason) -> ALSAError {
    ALSAError(reason: reason, function: "snd_pcm_status", subject: name)
  }

  private func check(_ status: Int32, _ function: String) throws(ALSAError) {
    if status < 0 { throw ALSAError(code: status, function: function, subject: name) }
  }
}
