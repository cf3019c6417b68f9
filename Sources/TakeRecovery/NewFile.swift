internal import BroadcastWave
internal import FoundationEssentials
internal import Glibc

/// Makes files, each of which appears under its name when it is whole, and replaces nothing.
enum NewFile {
  /// How much is copied at a time, in bytes.
  private static let piece = 1 << 20

  static func json(_ value: some Encodable, isPretty: Bool = false) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    do {
      return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      preconditionFailure("an entry is made of numbers and texts: \(error)")
    }
  }

  static func create(_ path: String, _ bytes: [UInt8]) throws(RecoveryError) {
    try create(path) { held throws(RecoveryError) in try held.write(bytes, at: 0) }
  }

  /// Makes the file that `plan` describes out of parts of `old`.
  static func create(
    _ path: String, by plan: WaveRebuild, of old: borrowing HeldFile
  ) throws(RecoveryError) {
    let part = try Part(path)
    do throws(RecoveryError) {
      try part.held.write(plan.head, at: 0)
      var offset = plan.body.lowerBound
      let shift = UInt64(plan.head.count)
      while offset < plan.body.upperBound {
        let count = min(UInt64(Self.piece), plan.body.upperBound - offset)
        let bytes = try old.take(at: offset, count: Int(count))
        try part.held.write(bytes, at: shift + offset - plan.body.lowerBound)
        offset += count
      }
      try part.held.write(plan.tail, at: shift + UInt64(plan.body.count))
      try part.finish()
    } catch {
      part.abandon()
      throw error
    }
  }

  private static func create(
    _ path: String, _ fill: (borrowing HeldFile) throws(RecoveryError) -> Void
  ) throws(RecoveryError) {
    let part = try Part(path)
    do throws(RecoveryError) {
      try fill(part.held)
      try part.finish()
    } catch {
      part.abandon()
      throw error
    }
  }
}

extension NewFile {
  /// A file that is being made.
  private struct Part: ~Copyable {
    let held: HeldFile
    private let path: String

    init(_ path: String) throws(RecoveryError) {
      self.path = path
      let descriptor = open(path + ".part", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw .system(path: path, code: errno) }
      Glibc.close(descriptor)
      held = try HeldFile(path: path + ".part", isReadOnly: false)
    }

    func finish() throws(RecoveryError) {
      try held.synchronize()
      try Folder.rename(path + ".part", to: path)
      try Folder.synchronize(of: path)
    }

    /// What is left of a failure is no use to anybody.
    func abandon() { unlink(path + ".part") }
  }
}
