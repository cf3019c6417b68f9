internal import BroadcastWave
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
    guard descriptor >= 0 else { throw .output(path: path, reason: InputFile.words(errno)) }
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
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { source in
        pwrite(
          descriptor, source.baseAddress.map { $0 + done }, bytes.count - done,
          off_t(offset) + off_t(done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure }
      done += count
    }
  }

  private var failure: AlignmentError {
    .output(path: path, reason: InputFile.words(errno))
  }
}
