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
}

/// Writes one sound file and keeps its header true while it grows.
final class SoundWriter {
  private let file: OutputFile
  private let header: WaveHeader
  private let bytesPerFrame: Int
  private(set) var frames: Int64 = 0
  private var promised: Int64 = 0

  init(path: String, description: FileDescription) throws(CaptureError) {
    file = try OutputFile(creating: path)
    header = description.header
    bytesPerFrame = description.format.bytesPerFrame
    try file.write(header.bytes, at: 0)
    try file.synchronize()
  }

  /// Puts whole frames behind those that are there.
  func append(_ bytes: [UInt8]) throws(CaptureError) {
    try file.write(bytes, at: header.audioOffset + UInt64(frames) * UInt64(bytesPerFrame))
    frames += Int64(bytes.count / bytesPerFrame)
  }

  /// Makes what was written last, and only then lets the header tell of it.
  func keepTrue() throws(CaptureError) {
    guard promised < frames else { return }
    try file.synchronize()
    for patch in header.sizePatches(dataBytes: dataBytes) {
      try file.write(patch.bytes, at: patch.offset)
    }
    promised = frames
  }

  /// Closes the file with `cues` behind the audio.
  func finish(cues: [CuePoint]) throws(CaptureError) {
    try file.synchronize()
    let trailer = WaveTrailer(dataBytes: dataBytes, cues: cues)
    try file.write(trailer.bytes, at: header.audioOffset + dataBytes)
    try file.synchronize()
    let patches = header.sizePatches(
      dataBytes: dataBytes, trailerBytes: UInt64(trailer.bytes.count))
    for patch in patches { try file.write(patch.bytes, at: patch.offset) }
    try file.finish()
  }

  private var dataBytes: UInt64 { UInt64(frames) * UInt64(bytesPerFrame) }
}
