internal import BroadcastWave
internal import Recording

/// A sound file of a take that was interrupted, as it is when it is recovered.
struct RecoveredPart {
  /// Its path without ending.
  let stem: String
  let name: RecordedName
  let log: InterruptedLog
  let frames: UInt64
  let bytes: UInt64
  let format: WaveFormat
  /// What its metadata says, where it can be read.
  let ixml: IXMLReading?

  /// Where it lies, with the slash.
  var folder: String { String(stem.dropLast(Folder.name(of: stem).count)) }

  /// The take's frame on its host that it begins with.
  var firstFrame: Int64 { log.header.firstFrame ?? 0 }

  /// The take's frame behind its last one.
  var endFrame: Int64 {
    let (end, isOver) = firstFrame.addingReportingOverflow(Int64(clamping: frames))
    return isOver ? .max : end
  }
}
