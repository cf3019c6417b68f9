import BroadcastWave
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

    var testDescription: String { "\(channels) ch, \(hertz) Hz, \(encoding), \(frames) frames" }
  }

  static let cases: [Case] = [
    Case(channels: 1, hertz: 48_000, encoding: .integer(bits: 24), frames: 47_999),
    Case(channels: 2, hertz: 44_100, encoding: .integer(bits: 24), frames: 44_101),
    Case(channels: 4, hertz: 96_000, encoding: .integer(bits: 24), frames: 9601),
    Case(channels: 8, hertz: 48_000, encoding: .integer(bits: 16), frames: 4801),
    Case(channels: 1, hertz: 96_000, encoding: .integer(bits: 16), frames: 97),
    Case(channels: 2, hertz: 48_000, encoding: .float32, frames: 4799),
  ]

  private func number(after label: String, in text: String) -> UInt64? {
    guard let found = text.firstRange(of: label) else { return nil }
    let rest = text[found.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "=" || $0 == "\t" }
    return UInt64(rest.prefix { $0.isNumber })
  }

  @Test("on frames and on TimeReference", arguments: cases)
  func agree(place: Case) throws {
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: place.hertz), channels: place.channels,
      encoding: place.encoding)
    let specimen = Specimen(
      format: format, frames: place.frames, timeReference: 4_800_000_123, frameRate: .fps25,
      cues: place.frames > 10 ? [CuePoint(frame: 7, text: "clap")] : [])
    let scratch = Scratch()
    let file = scratch.write(specimen.bytes, to: "specimen.wav")
    let frames = UInt64(place.frames)

    let sndfile = output(of: "sndfile-info --broadcast '\(file)'; sndfile-info '\(file)'")
    #expect(number(after: "Frames", in: sndfile) == frames, "\(sndfile)")
    #expect(sndfile.contains("0x11e1a307b"), "\(sndfile)")

    let sox = output(of: "soxi -s '\(file)'")
    #expect(sox == "\(frames)\n", "\(sox)")

    let probe = output(
      of: "ffprobe -v error -show_entries stream=duration_ts:format_tags=time_reference "
        + "-of default=nw=1 '\(file)'")
    #expect(number(after: "duration_ts", in: probe) == frames, "\(probe)")
    #expect(number(after: "time_reference", in: probe) == 4_800_000_123, "\(probe)")

    let media = output(of: "mediainfo --Details=1 '\(file)'")
    #expect(media.contains("4800000123"), "\(media)")
    let count = output(of: "mediainfo --Inform='Audio;%SamplingCount%' '\(file)'")
    #expect(count == "\(frames)\n", "\(count)")

    let exif = output(of: "exiftool -s -TimeReference '\(file)'")
    #expect(number(after: "TimeReference", in: exif) == 4_800_000_123, "\(exif)")
    let size = output(of: "exiftool -v1 '\(file)' | grep \"'data' chunk\"")
    #expect(
      number(after: "'data' chunk (", in: size) == frames * UInt64(format.bytesPerFrame), "\(size)")
  }

  @Test("iXML is well-formed, whatever people write", arguments: FrameRate.all)
  func wellFormed(rate: FrameRate) throws {
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: 48_000), channels: 8, encoding: .integer(bits: 24))
    let specimen = Specimen(
      format: format, frames: 1, frameRate: rate,
      cues: [CuePoint(frame: 0, text: "<&>\"' \u{1F3A4} 拍手")])
    let scratch = Scratch()
    let text = try #require(try specimen.read().ixml)
    let file = scratch.write(Array(text.utf8), to: "ixml.xml")
    #expect(output(of: "xmllint --noout '\(file)'") == "")
    let path = "//SPEED/TIMECODE_RATE/text()"
    #expect(output(of: "xmllint --xpath '\(path)' '\(file)'") == rate.fraction + "\n")
    let project = output(of: "xmllint --xpath 'string(//PROJECT)' '\(file)'")
    #expect(project == "Straße & <Söhne> '日本' \"x\"\n")
  }
}
