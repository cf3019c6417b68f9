internal import BroadcastWave
internal import Recording
internal import Units

/// What a file of a take says of itself.
struct FileDescription: Sendable {
  let plan: TakePlan
  let host: CaptureHost
  let session: Session
  let format: WaveFormat
  /// The instant that the file begins at, for its TimeReference: T0, or the first frame's where
  /// the ring did not reach back to T0.
  let begins: SharedInstant
  let fileName: String

  static let frameRate = FrameRate.fps25

  var timeReference: UInt64 {
    TimeReference.samples(
      at: begins, in: session, sampleRate: format.sampleRate, frameRate: Self.frameRate)
  }

  var header: WaveHeader {
    let civil = CivilTime(at: begins, in: session)
    let bext = Bext(
      description: "\(plan.name) T\(plan.number) \(host.label)", originator: host.software,
      originatorReference: Bext.reference(
        serial: host.peer.description, time: civil, random: plan.id.low),
      begins: civil, timeReference: timeReference,
      codingHistory: Bext.codingLine(for: format, text: host.software))
    var ixml = IXML(
      speed: IXML.Speed(
        frameRate: Self.frameRate, format: format, timeReference: timeReference, note: nil))
    ixml.scene = plan.name
    ixml.take = String(plan.number)
    ixml.fileUID = "\(plan.id)-\(host.peer)"
    ixml.fileSet = IXML.FileSet(
      totalFiles: 1, familyUID: plan.id.description, familyName: "\(plan.name)-T\(plan.number)")
    ixml.tracks = (1...format.channels).map {
      IXML.Track(channel: $0, interleave: $0, name: "\(host.label) \($0)")
    }
    return WaveHeader(format: format, bext: bext, ixml: ixml)
  }

  /// The first line of the file's timing log.
  func logHeader(t0: SharedInstant, firstShared: SharedInstant) -> TimingLogHeader {
    TimingLogHeader(
      version: TimingLogEntry.version, software: host.software, take: plan.id,
      takeName: plan.name, session: TimingLogSession(session), peer: host.peer, label: host.label,
      bootID: host.bootID, file: fileName, sampleRateHertz: format.sampleRate.hertz,
      channels: format.channels, bits: format.encoding.bits, t0: t0, firstShared: firstShared,
      timeReference: timeReference, frameRate: Self.frameRate.fraction)
  }
}
