internal import BroadcastWave
internal import FileIO
internal import Glibc

/// Writes one aligned file: under `.part` until it is whole, and over another only when asked.
final class AlignedWriter {
  private let path: String
  private let header: WaveHeader
  private let replaces: Bool
  private let descriptor: Int32
  private var end: UInt64
  private var isFinished = false

  private var partPath: String { path + ".part" }

  init(path: String, header: WaveHeader, replaces: Bool) throws(AlignmentError) {
    self.path = path
    self.header = header
    self.replaces = replaces
    descriptor = open(path + ".part", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .output(path: path, reason: "\(SystemFailure.last)") }
    end = 0
    try append(header.bytes)
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path + ".part") }
  }

  /// Puts `bytes` behind what was written.
  func append(_ bytes: [UInt8]) throws(AlignmentError) {
    try write(bytes, at: end)
    end += UInt64(bytes.count)
  }

  /// Puts `cues` behind the audio, makes the header true, and gives the file its name.
  func finish(cues: [CuePoint]) throws(AlignmentError) {
    let dataBytes = end - header.audioOffset
    let trailer = WaveTrailer(dataBytes: dataBytes, cues: cues)
    try append(trailer.bytes)
    let patches = header.sizePatches(
      dataBytes: dataBytes, trailerBytes: UInt64(trailer.bytes.count))
    for patch in patches { try write(patch.bytes, at: patch.offset) }
    guard fdatasync(descriptor) == 0 else { throw failure }
    try OutputName.give(path, from: partPath, replaces: replaces)
    isFinished = true
  }

  private func write(_ bytes: [UInt8], at offset: UInt64) throws(AlignmentError) {
    do throws(SystemFailure) { try FileIO.write(bytes, to: descriptor, at: offset) } catch {
      throw .output(path: path, reason: error.description)
    }
  }

  private var failure: AlignmentError {
    .output(path: path, reason: "\(SystemFailure.last)")
  }
}
