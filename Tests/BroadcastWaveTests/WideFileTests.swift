import BroadcastWave
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

/// A file past 4 GiB whose audio is a hole, so that it takes no room. (soxi reads all of it: see
/// `BigFileTests`.)
@Suite("Independent readers agree past 4 GiB", .computing)
struct WideFileTests {
  private static let frames: UInt64 = (5 << 30) / 12 + 1
  private static let specimen = Specimen(
    format: WaveFormat(
      sampleRate: SampleRate(hertz: 96_000), channels: 4, encoding: .integer(bits: 24)),
    frames: 0, timeReference: 4_381_881_504)

  /// The header as it is in a file of so many bytes of audio, with cues behind.
  private func write(in scratch: TestFolder) -> String {
    let header = Self.specimen.header
    let audio = Self.frames * 12
    let trailer = WaveTrailer(dataBytes: audio, cues: [CuePoint(frame: 400_000_000, text: "late")])
    var bytes = header.bytes
    let patches = header.sizePatches(dataBytes: audio, trailerBytes: UInt64(trailer.bytes.count))
    for patch in patches {
      bytes.replaceSubrange(
        Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    let path = scratch.write(bytes, to: "wide.wav")
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let count = pwrite(
      descriptor, trailer.bytes, trailer.bytes.count, off_t(header.audioOffset + audio))
    #expect(count == trailer.bytes.count)
    return path
  }

  @Test("on frames and on TimeReference, the cue among them")
  func agree() throws {
    let scratch = TestFolder()
    let path = write(in: scratch)
    func number(_ command: String) -> UInt64? {
      UInt64(ShellCommand.output(of: command).filter(\.isNumber))
    }
    #expect(ShellCommand.output(of: "head -c 4 '\(path)'") == "RF64")
    #expect(
      number("sndfile-info '\(path)' | sed -n 's/^Frames *: *//p' | head -n 1") == Self.frames)
    let probe = "ffprobe -v error -of default=nw=1:nk=1 -show_entries"
    #expect(number("\(probe) stream=duration_ts '\(path)'") == Self.frames)
    #expect(
      number("\(probe) format_tags=time_reference '\(path)'") == Self.specimen.timeReference)
    #expect(number("mediainfo --Inform='Audio;%SamplingCount%' '\(path)'") == Self.frames)
    #expect(
      number("exiftool -v3 '\(path)' | sed -n 's/.*DataSize64 = *//p' | head -n 1")
        == Self.frames * 12)
    #expect(number("exiftool -s3 -TimeReference '\(path)'") == Self.specimen.timeReference)
    let script = "import sys, wavinfo; print(wavinfo.WavInfoReader(sys.argv[1]).data.frame_count)"
    if ReaderMatrixTests.hasWavinfo {
      #expect(number("'\(ReaderMatrixTests.python)' -c '\(script)' '\(path)'") == Self.frames)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let length = UInt64(max(0, lseek(descriptor, 0, SEEK_END)))
    let own = try WaveReader(length: length) { offset, count throws(WaveError) in
      var bytes = [UInt8](repeating: 0, count: count)
      let got = pread(descriptor, &bytes, count, off_t(offset))
      return Array(bytes.prefix(max(0, got)))
    }
    #expect(own.frames == Self.frames && own.toldLength == length && own.assumptions == [])
    #expect(own.cues.map(\.frame) == [400_000_000])
  }
}
