internal import SoundFile
internal import Units

/// Reads a raw file from front to back, with silence where samples were lost, and without the
/// silence that stands where it does not belong.
struct RepairedReader: ~Copyable {
  private var reader: SoundFileReader
  private var edits: [RenderSource.Edit]
  private var frame: Int64 = 0
  private var silence: Int64 = 0

  init(_ source: RenderSource) throws(SoundFileError) {
    reader = try SoundFileReader(path: source.path)
    edits = source.edits.filter { $0.count != 0 && $0.frame >= 0 }.sorted { $0.frame < $1.frame }
  }

  /// Goes on `count` frames further on; for files without edits.
  mutating func skip(frames count: Int64) throws(SoundFileError) {
    frame = min(reader.frames.value, frame + count)
    try reader.seek(to: frame)
  }

  /// Up to `count` frames, interleaved; none at the end.
  mutating func read(frames count: Int) throws(SoundFileError) -> [Double] {
    while let edit = edits.first, edit.frame <= frame {
      edits.removeFirst()
      silence += max(0, edit.count)
      if edit.count < 0 { try skip(frames: -edit.count) }
    }
    if silence > 0 {
      let frames = min(silence, Int64(count))
      silence -= frames
      return [Double](repeating: 0, count: Int(frames) * reader.channels)
    }
    let room = edits.first.map { Int(min(Int64(count), $0.frame - frame)) } ?? count
    let block = try reader.read(frames: room)
    frame += Int64(block.count / reader.channels)
    return block
  }
}
