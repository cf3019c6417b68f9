internal import CALSA
internal import Glibc
public import HostClock
public import Units

/// A sound device opened for capture.
///
/// A capture owns its device: it cannot be copied, and the device is closed when the capture goes
/// out of scope. The calls that a capture thread makes throw a ``PCMFault``, and neither allocate
/// nor lock.
public struct PCMCapture: ~Copyable, Sendable {
  /// Safe to share: it is used by one thread at a time, since a capture cannot be copied.
  nonisolated(unsafe) private let handle: OpaquePointer
  /// Room for an answer of the device, made once so that asking does not allocate. Safe to share
  /// for the same reason.
  nonisolated(unsafe) private let status: OpaquePointer
  private let clock: HostClock
  private let monotonic: Bool
  private var isOpen = true
  private var started: HostInstant
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
    started = clock.now()
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
    if isOpen { snd_pcm_close(handle) }
  }

  /// The bytes of one frame.
  public var bytesPerFrame: Int { format.bytes * channels }

  /// Starts the stream for the first time.
  public mutating func start() throws(ALSAError) {
    started = clock.now()
    let status = snd_pcm_start(handle)
    if status < 0 { throw ALSAError(code: status, function: "snd_pcm_start", subject: name) }
  }

  /// Makes a stopped stream ready and starts it again.
  public mutating func restart() throws(PCMFault) {
    try check(snd_pcm_prepare(handle))
    // A stamp from before the stream is no stamp of it.
    started = clock.now()
    // Without this a stream that is ready would keep whoever waits waiting for ever.
    try check(snd_pcm_start(handle))
  }

  /// Goes on after the machine was suspended, where the device can.
  ///
  /// - Throws: `notReady` while the device is being woken; `other` where it must be prepared.
  public func resume() throws(PCMFault) { try check(snd_pcm_resume(handle)) }

  /// The most descriptors that a device is waited on by.
  private static let mostDescriptors = 4
  /// The shortest rest that is taken by polling, in milliseconds.
  private static let shortestPoll = 5

  /// Rests for so long, but no longer than the stream runs; whether it was ended early, since the
  /// driver has something to tell.
  ///
  /// - Parameter microseconds: up to 2 000 000 000.
  public func rest(microseconds: Int) -> Bool {
    let milliseconds = microseconds / 1000
    // A short buffer leaves no time that a poll could count.
    guard milliseconds >= Self.shortestPoll else {
      usleep(UInt32(max(0, microseconds)))
      return false
    }
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: Self.mostDescriptors) {
      let count = snd_pcm_poll_descriptors(handle, $0.baseAddress, UInt32(Self.mostDescriptors))
      // Frames that wait are no reason to wake: only errors, which are always told.
      for place in 0..<max(0, Int(count)) { $0[place].events = 0 }
      return poll($0.baseAddress, nfds_t(max(0, count)), Int32(milliseconds)) > 0
    }
  }

  /// How far the device is.
  public struct Position: BitwiseCopyable, Sendable {
    /// Frames that wait to be read. More than the buffer holds: the rest is lost.
    public let available: Int
    /// When that was so: by the driver where it says, else by a reading after the call.
    public let hostNanoseconds: Int64
    /// Whether the driver said so.
    public let isStamped: Bool
    /// When the look was over, by the host's own clock.
    public let lookedNanoseconds: Int64
  }

  /// Asks how far the device is.
  ///
  /// - Throws: `overrun` or `suspended` where the stream has stopped, `disconnected` where the
  ///   device is gone.
  public func position() throws(PCMFault) -> Position {
    // Of all calls this one fails with every driver once the device is gone.
    try check(snd_pcm_status(handle, status))
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_XRUN: throw .overrun
    case SND_PCM_STATE_SUSPENDED: throw .suspended
    case SND_PCM_STATE_DISCONNECTED: throw .disconnected
    default: return stamped()
    }
  }

  private func stamped() -> Position {
    var stamp = timespec()
    snd_pcm_status_get_htstamp(status, &stamp)
    let nanoseconds = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    let own: HostInstant? =
      nanoseconds == 0
      ? nil
      : monotonic
        ? clock.monotonicSandwich().host(ofOther: nanoseconds)
        : HostInstant(nanoseconds: nanoseconds)
    let now = clock.now()
    let believed = DriverStamp.believed(own, started: started, now: now)
    return Position(
      available: Int(snd_pcm_status_get_avail(status)),
      hostNanoseconds: (believed ?? now).nanoseconds, isStamped: believed != nil,
      lookedNanoseconds: now.nanoseconds)
  }

  /// How many frames wait in a stream that may have stopped; nothing where the driver does not say,
  /// since the device is gone.
  public func remaining() -> Int? {
    snd_pcm_status(handle, status) < 0 ? nil : Int(snd_pcm_status_get_avail(status))
  }

  /// Reads up to `frames` frames that wait; how many there were.
  public func read(
    into target: UnsafeMutableRawPointer, frames: Int
  ) throws(PCMFault) -> Int {
    let count = snd_pcm_readi(handle, target, snd_pcm_uframes_t(frames))
    if count == -Int(EAGAIN) { return 0 }
    try check(Int32(truncatingIfNeeded: min(count, 0)))
    return count
  }

  /// Leaves out `frames` frames that are lost; how many it left out.
  public func forward(_ frames: Int) throws(PCMFault) -> Int {
    let count = snd_pcm_forward(handle, snd_pcm_uframes_t(frames))
    try check(Int32(truncatingIfNeeded: min(count, 0)))
    return count
  }

  private func check(_ status: Int32) throws(PCMFault) {
    if status < 0 { throw PCMFault(code: status) }
  }
}

// A device that was pulled out.
extension PCMCapture {
  /// Opens the device anew, by `name`, as it was; what was open of it is given up first, since a
  /// system keeps a card's place taken while anyone holds it.
  ///
  /// - Throws: ``ALSAError`` while it is not back, or where what is there now cannot do the same.
  public mutating func reopen(as name: String) throws(ALSAError) {
    close()
    let again = try PCMCapture(
      opening: name, rate: rate, channels: .exactly(channels), clock: clock)
    guard again.format == format, again.bytesPerFrame == bytesPerFrame else {
      throw ALSAError(
        reason: .unsupported(has: "is another than before: its samples are \(again.format.name)"),
        function: "snd_pcm_open", subject: name)
    }
    self = again
  }

  /// Gives the device up: a driver whose card was pulled out may wait for that. Nothing but
  /// ``reopen(as:)`` may be called then.
  public mutating func close() {
    guard isOpen else { return }
    isOpen = false
    snd_pcm_close(handle)
  }
}
