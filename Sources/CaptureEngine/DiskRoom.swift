internal import Units

/// How much of a disk a take leaves free, so that its files can be closed and the system lives on.
struct DiskRoom: Sendable {
  /// The least that stays free, in bytes.
  static let least: Int64 = 64_000_000
  /// As much as this long of the take stays free, where that is more.
  static let spare: Int64 = 10

  /// What stays free, in bytes.
  let floor: Int64
  private let freeBytes: @Sendable (String) -> Int64?

  /// Makes it for a take of `bytesPerSecond`.
  init(
    bytesPerSecond: Int,
    freeBytes: @escaping @Sendable (String) -> Int64? = { OutputFile.freeBytes(at: $0) }
  ) {
    floor = max(Self.least, Int64(bytesPerSecond) * Self.spare)
    self.freeBytes = freeBytes
  }

  /// Throws `diskNearlyFull` where less than the floor is free below `path`.
  func check(_ path: String) throws(CaptureError) {
    guard let free = freeBytes(path), free < floor else { return }
    throw .diskNearlyFull(path: path, freeBytes: free)
  }
}
