internal import SoundFile
internal import Units

/// Reads a raw file from front to back, with silence where samples were lost.
struct RepairedReader: ~Copyable {
  private var reader: SoundFileReader
  private var repairs: [RenderSource.Repair]
  private var frame: Int64 = 0
  private var silence: Int64 = 0

  init(_ source: RenderSource) throws(SoundFileError) {
    reader = try SoundFileReader(path: source.path)
    repairs = source.repairs.filter { $0.count > 0 && $0.frame >= 0 }
  }

  /// Up to `count` frames, interleaved; none at the end.
  mutating func read(frames count: Int) throws(SoundFileError) -> [Double] {
    if let repair = repairs.first, repair.frame <= frame {
      silence += repair.count
      repairs.removeFirst()
    }
    if silence > 0 {
      let frames = min(silence, Int64(count))
      silence -= frames
      return [Double](repeating: 0, count: Int(frames) * reader.channels)
    }
    let room = repairs.first.map { Int(min(Int64(count), $0.frame - frame)) } ?? count
    let block = try reader.read(frames: room)
    frame += Int64(block.count / reader.channels)
    return block
  }
}
