internal import BroadcastWave

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
