internal import BroadcastWave
internal import FoundationEssentials

/// Writes and reads the undo record beside a sound file.
enum UndoFile {
  /// How many times one file may be recovered anew, with a record of each.
  private static let numbers = 1...99

  /// Where the record of the file at `path` goes that is written now.
  static func freePath(for path: String) -> String? {
    numbers.lazy.map { Self.path(of: path, number: $0) }.first { !Folder.exists($0) }
  }

  /// Notes what stands where `patches` are to go.
  static func write(
    _ patches: [FilePatch], of held: borrowing HeldFile, to path: String
  ) throws(RecoveryError) {
    let length = held.length
    var pieces: [(offset: UInt64, bytes: [UInt8])] = []
    for patch in patches where patch.offset < length {
      do throws(WaveError) {
        pieces.append((patch.offset, try held.read(at: patch.offset, count: patch.bytes.count)))
      } catch {
        throw .unusable(path: held.path, reason: error.description)
      }
    }
    let record = UndoRecord(file: Folder.name(of: held.path), length: length, pieces: pieces)
    try NewFile.create(path, NewFile.json(record, isPretty: true))
  }

  /// Puts back what recovering wrote over last, and takes the record away.
  static func undo(_ path: String) throws(RecoveryError) -> RecoveryReport.File {
    guard let number = numbers.last(where: { Folder.exists(Self.path(of: path, number: $0)) })
    else {
      throw .unusable(
        path: path, reason: "no record lies beside it of anything that was written over")
    }
    let recordPath = Self.path(of: path, number: number)
    guard let record = try read(recordPath), let patches = record.patches else {
      throw .unusable(path: recordPath, reason: "it is no record of this recorder")
    }
    let held = try HeldFile(path: path, isReadOnly: false)
    guard held.length >= record.length else {
      throw .unusable(path: path, reason: "it is shorter now than it was when it was recovered")
    }
    for patch in patches { try held.write(patch.bytes, at: patch.offset) }
    try held.cut(to: record.length)
    try held.synchronize()
    try Folder.remove(recordPath)
    var file = RecoveryReport.File(path: path, outcome: .undone)
    file.done = ["put back the bytes that were written over"]
    return file
  }

  private static func path(of path: String, number: Int) -> String {
    "\(path).undo\(number == 1 ? "" : "-\(number)").json"
  }

  private static func read(_ path: String) throws(RecoveryError) -> UndoRecord? {
    let held = try HeldFile(path: path, isReadOnly: true)
    guard held.length <= UndoRecord.sizeLimit else { return nil }
    do {
      let bytes = try held.read(at: 0, count: Int(held.length))
      let record = try JSONDecoder().decode(UndoRecord.self, from: Data(bytes))
      return record.schema == UndoRecord.schema ? record : nil
    } catch {
      return nil
    }
  }
}
