/// A file's bytes as they will be once patches are written over it.
struct MendedBytes {
  /// Bytes of the mended file.
  let length: UInt64
  private let patches: [FilePatch]

  /// What a file of `length` bytes becomes by `patches`, written in their order.
  init(length: UInt64, patches: [FilePatch]) {
    self.patches = patches
    self.length = patches.reduce(length) { max($0, $1.offset + UInt64($1.bytes.count)) }
  }

  /// `count` bytes at an offset, or as many as there are.
  ///
  /// - Parameter read: gives the bytes of the file as it is.
  func bytes(
    at offset: UInt64, count: Int, of read: ChunkScan.Read
  ) throws(WaveError) -> [UInt8] {
    guard offset < length else { return [] }
    var bytes = try read(offset, count)
    let whole = Int(min(UInt64(count), length - offset))
    if bytes.count < whole { bytes += repeatElement(0, count: whole - bytes.count) }
    let end = offset + UInt64(bytes.count)
    for patch in patches {
      let from = max(offset, patch.offset)
      let to = min(end, patch.offset + UInt64(patch.bytes.count))
      guard from < to else { continue }
      bytes.replaceSubrange(
        Int(from - offset)..<Int(to - offset),
        with: patch.bytes[Int(from - patch.offset)..<Int(to - patch.offset)])
    }
    return bytes
  }
}
