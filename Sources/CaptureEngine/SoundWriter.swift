internal import BroadcastWave
internal import Loudness
internal import Units

/// Writes one sound file and keeps its header true while it grows.
final class SoundWriter {
  private let file: OutputFile
  private let header: WaveHeader
  private let description: FileDescription
  private let bytesPerFrame: Int
  private var meter: LoudnessMeter?
  private(set) var frames: Int64 = 0
  private var promised: Int64 = 0

  init(
    path: String, description: FileDescription, measuresLoudness: Bool = false
  ) throws(CaptureError) {
    file = try OutputFile(creating: path)
    self.description = description
    header = description.header
    bytesPerFrame = description.format.bytesPerFrame
    if measuresLoudness {
      meter = LoudnessMeter(
        sampleRateHertz: description.format.sampleRate.hertz,
        channels: description.format.channels)
    }
    try file.write(header.bytes, at: 0)
    try file.synchronize()
  }

  /// The size of what stands before the audio, in bytes.
  var headerBytes: UInt64 { header.audioOffset }

  /// Puts whole frames behind those that are there.
  func append(_ bytes: [UInt8]) throws(CaptureError) {
    file.reserveAhead()
    try file.write(bytes, at: header.audioOffset + UInt64(frames) * UInt64(bytesPerFrame))
    frames += Int64(bytes.count / bytesPerFrame)
    if meter != nil { meter?.hear(description.format.encoding.floats(of: bytes)) }
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

  /// Closes the file with `cues` behind the audio, and with what `state` knows at last in front of
  /// it.
  ///
  /// - Returns: how many markers did not fit into iXML or behind the audio.
  @discardableResult
  func finish(
    cues: [CuePoint], state: FileState? = nil, trailerLimit: Int = WaveTrailer.usualLimit
  ) throws(CaptureError) -> Int {
    // The header tells of all audio before anything stands behind it, so that the two are told
    // apart wherever this is interrupted.
    try keepTrue()
    try file.synchronize()
    let trailer = WaveTrailer(dataBytes: dataBytes, cues: cues, limit: trailerLimit)
    if !trailer.bytes.isEmpty {
      try file.write(trailer.bytes, at: header.audioOffset + dataBytes)
      try file.synchronize()
    }
    var missing = cues.count - trailer.cueCount
    if let state {
      let (patch, left) = metadata(state)
      missing = max(missing, left)
      if let patch { try file.write(patch.bytes, at: patch.offset) }
    }
    let patches = header.sizePatches(
      dataBytes: dataBytes, trailerBytes: UInt64(trailer.bytes.count))
    for patch in patches { try file.write(patch.bytes, at: patch.offset) }
    try file.finish()
    return missing
  }

  /// Takes the file away again.
  func discard() throws(CaptureError) { try file.discard() }

  /// The metadata with as many markers as fit, and how many do not.
  private func metadata(_ state: FileState) -> (FilePatch?, left: Int) {
    var ixml = description.ixml(state)
    let bext = description.bext(loudness: loudness)
    let count = ixml.syncPoints.count
    while true {
      if let patch = header.metadataPatch(bext: bext, ixml: ixml) {
        return (patch, count - ixml.syncPoints.count)
      }
      guard !ixml.syncPoints.isEmpty else { return (nil, count) }
      ixml.syncPoints.removeLast((ixml.syncPoints.count + 7) / 8)
    }
  }

  private var loudness: BextLoudness? {
    guard let figures = meter?.figures else { return nil }
    return BextLoudness(
      integrated: figures.integrated, range: figures.range, maxTruePeak: figures.maxTruePeak,
      maxMomentary: figures.maxMomentary, maxShortTerm: figures.maxShortTerm)
  }

  private var dataBytes: UInt64 { UInt64(frames) * UInt64(bytesPerFrame) }
}
