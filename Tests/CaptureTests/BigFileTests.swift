import BroadcastWave
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

@testable import CaptureEngine
@testable import Recording

/// Five GiB by the shipping writer: half a minute and as much disk, so only where it is asked for.
@Suite("A file past 4 GiB", .computing, .enabled(if: getenv("RECORDER_BIG_FILE") != nil))
struct BigFileTests {
  static let channels = 8
  static let frames: Int64 = (5 << 30) / 24 + 1

  @Test("becomes RF64 in place, and seven readers count its frames alike, before it is closed too")
  func promotion() throws {
    let workspace = TestFolder()
    let path = workspace.path + "/big.wav"
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: 192_000), channels: Self.channels,
      encoding: .integer(bits: 24))
    let description = FileDescription(
      plan: TakePlan(id: TakeID(high: 1, low: 2), name: "big", number: 1),
      host: RecordedFiles.host,
      session: Session(
        id: SessionID(high: 5, low: 1), anchorUnixNanoseconds: 1_790_000_000_000_000_000,
        anchorErrorNanoseconds: 0, utcOffsetSeconds: 0),
      format: format, begins: .sessionStart, fileName: "big.wav")
    let writer = try SoundWriter(path: path, description: description)
    let piece = [UInt8](repeating: 0x11, count: 8 << 20).prefix(349_525 * 24)
    var left = Self.frames
    while left > 0 {
      let count = min(left, 349_525)
      try writer.append(Array(piece.prefix(Int(count) * 24)))
      left -= count
      // The header is looked at while it tells of less than 4 GiB, and just past them.
      if left % (349_525 * 128) < 349_525 { try writer.keepTrue() }
    }
    try writer.keepTrue()
    #expect(frames(path + ".part") == Array(repeating: Self.frames, count: 7))
    try writer.finish(cues: [CuePoint(frame: 178_956_971, text: "late")], state: FileState())
    #expect(frames(path) == Array(repeating: Self.frames, count: 7))
    let head = ShellCommand.output(of: "head -c 20 '\(path)'")
    #expect(head.hasPrefix("RF64"))
  }

  /// What each reader says: sndfile-info, soxi, ffprobe, mediainfo, exiftool, wavinfo, and ours.
  private func frames(_ file: String) -> [Int64?] {
    let link = file.hasSuffix(".wav") ? file : file + ".wav"
    if link != file { symlink(file, link) }
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let commands = [
      "sndfile-info '\(link)' | sed -n 's/^Frames *: *//p' | head -n 1",
      "soxi -s '\(link)'",
      "ffprobe -v error -show_entries stream=duration_ts -of default=nw=1:nk=1 '\(link)'",
      "mediainfo --Inform='Audio;%SamplingCount%' '\(link)'",
      "exiftool -v3 '\(link)' | sed -n 's/.*DataSize64 = *//p' | head -n 1",
      "/\(root)/.build/readers/bin/python3 -c \"import wavinfo; "
        + "print(wavinfo.WavInfoReader('\(link)').data.frame_count)\"",
    ]
    var found = commands.map { command in
      Int64(ShellCommand.output(of: command).filter { !$0.isWhitespace })
    }
    // Exiftool tells bytes.
    found[4] = found[4].map { $0 / 24 }
    let length = ClosedFile.size(of: file).map { UInt64($0) } ?? 0
    let own = try? WaveReader(length: length) { offset, count throws(WaveError) in
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: count)
      let got = pread(descriptor, &bytes, count, off_t(offset))
      return Array(bytes.prefix(max(0, got)))
    }
    if link != file { unlink(link) }
    return found + [own.map { Int64($0.frames) }]
  }
}
