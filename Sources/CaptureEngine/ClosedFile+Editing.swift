internal import BroadcastWave
internal import FileIO
internal import Glibc
internal import Recording

extension ClosedFile {
  /// Changes what a file's iXML says, within the room that it has.
  ///
  /// - Throws: ``CaptureError/output(path:code:)``, also where the file is none of ours (EINVAL) or
  ///   has no room for more text (ENOSPC).
  static func editMetadata(
    of path: String, _ change: (inout IXML) -> Void
  ) throws(CaptureError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .output(path: path, code: errno) }
    defer { close(descriptor) }
    guard let size = size(of: path), let wave = wave(descriptor, length: UInt64(size)),
      let text = wave.ixml, let place = wave.chunks.first(where: { $0.name == "iXML" }),
      let rate = IXMLReading(text).frameRate
    else { throw .output(path: path, code: EINVAL) }
    let speed = IXML.Speed(
      frameRate: rate, format: wave.format, timeReference: wave.bext?.timeReference ?? 0,
      note: IXMLReading(text).speedNote)
    var ixml = IXML(text: text, speed: speed)
    change(&ixml)
    var bytes = Array(ixml.text.utf8)
    guard bytes.count <= Int(place.bytes) else { throw .output(path: path, code: ENOSPC) }
    bytes += repeatElement(UInt8(ascii: " "), count: Int(place.bytes) - bytes.count)
    try put(bytes, at: place.offset, in: descriptor, path)
  }

  /// Marks a frame of the take in one of its files: a cue with its label, and a sync point.
  ///
  /// - Throws: as ``editMetadata(of:_:)`` and ``add(_:to:limit:)`` do.
  static func mark(
    _ marker: TimingLogMarker, in file: TakeSummary.File, folder: String, limit: Int
  ) throws(CaptureError) {
    let path = folder + "/" + file.name
    let cue = CuePoint(frame: UInt64(marker.frame - file.firstFrame), text: marker.text)
    try add(cue, to: path, limit: limit)
    try editMetadata(of: path) { ixml in
      ixml.syncPoints.append(
        IXML.SyncPoint(function: "MARKER_GENERIC", comment: marker.text, sample: cue.frame))
      ixml.syncPoints.sort { ($0.sample, $0.comment ?? "") < ($1.sample, $1.comment ?? "") }
    }
  }

  /// Puts one more cue behind the audio, with its label, and into the iXML where there is room.
  ///
  /// Whenever this is interrupted the file has its audio and all that its header tells of: first the
  /// header forgets the cues, then they are written anew, then it tells of them.
  ///
  /// - Parameter limit: how large cues and labels may be, in bytes.
  /// - Throws: ``CaptureError/output(path:code:)``, also where the file is none of ours (EINVAL) or
  ///   there are too many cues (ENOSPC).
  static func add(_ cue: CuePoint, to path: String, limit: Int) throws(CaptureError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .output(path: path, code: errno) }
    defer { close(descriptor) }
    guard let size = size(of: path), let wave = wave(descriptor, length: UInt64(size)),
      wave.toldLength == UInt64(size)
    else { throw .output(path: path, code: EINVAL) }
    let cues = (wave.cues + [cue]).sorted { ($0.frame, $0.text) < ($1.frame, $1.text) }
    let trailer = WaveTrailer(dataBytes: wave.audioBytes, cues: cues, limit: limit)
    let end = wave.audioOffset + wave.audioBytes
    guard trailer.cueCount == cues.count, end + UInt64(trailer.bytes.count) >= UInt64(size) else {
      throw .output(path: path, code: ENOSPC)
    }
    let size64 = wave.chunks.contains { $0.name == "ds64" }
    func tell(_ length: UInt64) throws(CaptureError) {
      let told = length - 8
      let bytes = (0..<(size64 ? 8 : 4)).map { UInt8(truncatingIfNeeded: told >> (8 * UInt64($0))) }
      try put(bytes, at: size64 ? 20 : 4, in: descriptor, path)
    }
    let isFitting = size64 || end + UInt64(trailer.bytes.count) - 8 < UInt64(UInt32.max)
    guard isFitting else { throw .output(path: path, code: ENOSPC) }
    // The pad byte behind an odd size is there already.
    try tell(end + wave.audioBytes % 2)
    try put(trailer.bytes, at: end, in: descriptor, path)
    try tell(end + UInt64(trailer.bytes.count))
  }

  /// Writes all of `bytes`, and waits until they are on the disk.
  private static func put(
    _ bytes: [UInt8], at offset: UInt64, in descriptor: Int32, _ path: String
  ) throws(CaptureError) {
    do throws(SystemFailure) { try FileIO.write(bytes, to: descriptor, at: offset) } catch {
      throw .output(path: path, code: error.code)
    }
    guard fdatasync(descriptor) == 0 else { throw .output(path: path, code: errno) }
  }
}
