import BroadcastWave
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

/// Files of the recorder's writer, as readers by others see them.
@Suite("Independent readers agree", .computing)
struct ReaderMatrixTests {
  struct Case: CustomTestStringConvertible {
    let channels: Int
    let hertz: Int
    let encoding: SampleEncoding
    let frames: Int
    var rate = FrameRate.fps25
    var isPlain = false

    var testDescription: String {
      "\(channels) ch, \(hertz) Hz, \(encoding), \(frames) frames, \(rate.name)"
    }
  }

  /// Mono, stereo, four and eight channels, float, every width, 96 kHz, odd numbers of frames, no
  /// filler; and every timecode rate.
  static let cases: [Case] =
    [
      Case(channels: 1, hertz: 48_000, encoding: .integer(bits: 24), frames: 47_999),
      Case(channels: 2, hertz: 44_100, encoding: .integer(bits: 24), frames: 44_101),
      Case(channels: 4, hertz: 96_000, encoding: .integer(bits: 24), frames: 9601),
      Case(channels: 8, hertz: 48_000, encoding: .integer(bits: 16), frames: 4801),
      Case(channels: 1, hertz: 96_000, encoding: .integer(bits: 16), frames: 97),
      Case(channels: 2, hertz: 48_000, encoding: .float32, frames: 4799),
      Case(channels: 4, hertz: 96_000, encoding: .float32, frames: 4799),
      Case(channels: 2, hertz: 48_000, encoding: .integer(bits: 32), frames: 4799),
      Case(channels: 1, hertz: 48_000, encoding: .integer(bits: 24), frames: 4799, isPlain: true),
    ]
    + FrameRate.all.map {
      Case(channels: 1, hertz: 48_000, encoding: .integer(bits: 24), frames: 301, rate: $0)
    }

  /// What a session of 12:39:59 at 96 kHz or less has for its TimeReference.
  private func reference(_ place: Case) throws -> UInt64 {
    let code = try #require(
      Timecode(hours: 12, minutes: 39, seconds: 59, frames: 0, rate: place.rate))
    return code.firstSample(sampleRate: SampleRate(hertz: place.hertz)) + 3
  }

  private func number(after label: String, in text: String) -> UInt64? {
    guard let found = text.firstRange(of: label) else { return nil }
    let rest = text[found.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "=" || $0 == "\t" }
    return UInt64(rest.prefix { $0.isNumber })
  }

  private func specimen(_ place: Case) throws -> Specimen {
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: place.hertz), channels: place.channels,
      encoding: place.encoding)
    var specimen = Specimen(
      format: format, frames: place.frames, timeReference: try reference(place),
      frameRate: place.rate, cues: place.frames > 10 ? [CuePoint(frame: 7, text: "clap")] : [])
    specimen.isPlain = place.isPlain
    return specimen
  }

  @Test("on frames and on TimeReference", arguments: cases)
  func agree(place: Case) throws {
    let specimen = try specimen(place)
    let scratch = TestFolder()
    let file = scratch.write(specimen.bytes, to: "specimen.wav")
    let frames = UInt64(place.frames)
    let time = specimen.timeReference

    let sndfile = ShellCommand.output(
      of: "sndfile-info --broadcast '\(file)'; sndfile-info '\(file)'")
    #expect(number(after: "Frames", in: sndfile) == frames, "\(sndfile)")
    let digits = String(time, radix: 16)
    let told = "0x" + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    #expect(sndfile.contains(told), "\(sndfile)")

    let sox = ShellCommand.output(of: "soxi -V1 -s '\(file)'")
    #expect(sox == "\(frames)\n", "\(sox)")

    let probe = ShellCommand.output(
      of: "ffprobe -v error -show_entries stream=duration_ts:format_tags=time_reference "
        + "-of default=nw=1 '\(file)'")
    #expect(number(after: "duration_ts", in: probe) == frames, "\(probe)")
    #expect(number(after: "time_reference", in: probe) == time, "\(probe)")

    let media = ShellCommand.output(of: "mediainfo --Details=1 '\(file)'")
    #expect(media.contains("\(time)"), "\(media)")
    let count = ShellCommand.output(of: "mediainfo --Inform='Audio;%SamplingCount%' '\(file)'")
    #expect(count == "\(frames)\n", "\(count)")

    let exif = ShellCommand.output(of: "exiftool -s -TimeReference '\(file)'")
    #expect(number(after: "TimeReference", in: exif) == time, "\(exif)")
    let size = ShellCommand.output(of: "exiftool -v1 '\(file)' | grep \"'data' chunk\"")
    #expect(
      number(after: "'data' chunk (", in: size)
        == frames * UInt64(specimen.format.bytesPerFrame), "\(size)")
  }

  /// Python with the package `wavinfo`, where `.ci/setup` could install it.
  static let python: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/.build/readers/bin/python3"
  }()

  static let hasWavinfo = access(python, X_OK) == 0

  @Test("wavinfo reads frames, bext and iXML", .enabled(if: hasWavinfo), arguments: cases)
  func wavinfo(place: Case) throws {
    let specimen = try specimen(place)
    let scratch = TestFolder()
    let file = scratch.write(specimen.bytes, to: "specimen.wav")
    let found = ShellCommand.output(
      of: "'\(Self.python)' -c 'import sys,wavinfo; w = wavinfo.WavInfoReader(sys.argv[1]); "
        + "print(w.data.frame_count, w.bext.time_reference, w.bext.version, w.ixml.scene, "
        + "w.ixml.take, w.ixml.family_uid, len(list(w.ixml.track_list)), w.ixml.project)' '\(file)'"
    )
    let wanted: [String] = [
      "\(place.frames)", "\(specimen.timeReference)", "1", "12A", "3", "family",
      "\(place.channels)", "Straße & <Söhne> '日本' \"x\"\n",
    ]
    #expect(found == wanted.joined(separator: " "))
  }

  @Test("iXML is well-formed, whatever people write", arguments: FrameRate.all)
  func wellFormed(rate: FrameRate) throws {
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: 48_000), channels: 8, encoding: .integer(bits: 24))
    let specimen = Specimen(
      format: format, frames: 1, frameRate: rate,
      cues: [CuePoint(frame: 0, text: "<&>\"' \u{1F3A4} 拍手")])
    let scratch = TestFolder()
    let text = try #require(try specimen.read().ixml)
    let file = scratch.write(Array(text.utf8), to: "ixml.xml")
    #expect(ShellCommand.output(of: "xmllint --noout '\(file)'") == "")
    let path = "//SPEED/TIMECODE_RATE/text()"
    #expect(ShellCommand.output(of: "xmllint --xpath '\(path)' '\(file)'") == rate.fraction + "\n")
    let project = ShellCommand.output(of: "xmllint --xpath 'string(//PROJECT)' '\(file)'")
    #expect(project == "Straße & <Söhne> '日本' \"x\"\n")
  }
}
