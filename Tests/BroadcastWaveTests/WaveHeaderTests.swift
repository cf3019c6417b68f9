import BroadcastWave
import TestLanes
import Testing
import Units

@Suite("The header of a sound file", .computing)
struct WaveHeaderTests {
  private func format(
    _ channels: Int, _ encoding: SampleEncoding = .integer(bits: 24), hertz: Int = 48_000
  ) -> WaveFormat {
    WaveFormat(sampleRate: SampleRate(hertz: hertz), channels: channels, encoding: encoding)
  }

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      (0x21...0x7E).contains(byte)
        ? String(Unicode.Scalar(byte)) : "." + String(byte, radix: 16)
    }.joined(separator: " ")
  }

  /// FNV-1a, to hold 16 KiB in one line.
  private func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @Test("golden bytes: the layout never moves")
  func golden() {
    let bytes = Specimen(format: format(1), frames: 0).header.bytes
    #expect(bytes.count == 16_384)
    #expect(
      text(bytes[0..<24])
        == "R I F F .f8 ? .0 .0 W A V E J U N K .1c .0 .0 .0 .0 .0 .0 .0")
    #expect(
      text(bytes[48..<80])
        == "f m t .20 .10 .0 .0 .0 .1 .0 .1 .0 .80 .bb .0 .0 .80 2 .2 .0 .3 .0 .18 .0 "
        + "b e x t Z .3 .0 .0")
    #expect(text(bytes[80..<96]) == "S t r a _ e .20 T 1 .20 r e c - a .0")
    #expect(text(bytes[938..<946]) == "i X M L F < .0 .0")
    #expect(text(bytes[16_376...]) == "d a t a .0 .0 .0 .0")
    #expect(digest(bytes) == 9_781_440_152_656_276_713)
  }

  @Test("above two channels the format is extensible, with no loudspeakers")
  func extensible() {
    let bytes = Specimen(format: format(4), frames: 0).header.bytes
    #expect(
      text(bytes[48..<96])
        == "f m t .20 ( .0 .0 .0 .fe .ff .4 .0 .80 .bb .0 .0 .0 .ca .8 .0 .c .0 .18 .0 .16 .0 "
        + ".18 .0 .0 .0 .0 .0 .1 .0 .0 .0 .0 .0 .10 .0 .80 .0 .0 .aa .0 8 .9b q")
    #expect(Specimen(format: format(9), frames: 0).header.bytes.count == 65_536)
  }

  @Test("past 4 GiB the first 48 bytes become RF64, and only then the data's size goes")
  func promotion() {
    let header = Specimen(format: format(2), frames: 0).header
    let under = header.sizePatches(dataBytes: 0xFFFF_FFFF - 16_384 + 7 - 5)
    #expect(under.map(\.offset) == [4, 16_380])
    let over = header.sizePatches(dataBytes: 6_000_000_000)
    #expect(over.map(\.offset) == [0, 16_380])
    #expect(over[0].bytes.count == 48)
    #expect(
      text(over[0].bytes)
        == "R F 6 4 .ff .ff .ff .ff W A V E d s 6 4 .1c .0 .0 .0 .f8 .fb .a0 e .1 .0 .0 .0 "
        + ".0 .bc .a0 e .1 .0 .0 .0 .0 .ca .9a ; .0 .0 .0 .0 .0 .0 .0 .0")
    #expect(over[1].bytes == [255, 255, 255, 255])
  }

  @Test("what was written is read back", arguments: [1, 2, 3, 8, 64], [1, 479, 48_000])
  func roundTrip(channels: Int, frames: Int) throws {
    for encoding in [SampleEncoding.integer(bits: 16), .integer(bits: 24), .float32] {
      var specimen = Specimen(format: format(channels, encoding), frames: min(frames, 5000))
      specimen.cues = [CuePoint(frame: 0, text: "eins"), CuePoint(frame: 17, text: "zwei ü")]
      let read = try specimen.read()
      #expect(read.format == specimen.format)
      #expect(read.frames == UInt64(specimen.frames))
      #expect(read.audioOffset == UInt64(specimen.header.bytes.count))
      #expect(read.bext?.timeReference == specimen.timeReference)
      #expect(read.bext?.description == "Stra_e T1 rec-a")
      #expect(read.bext?.codingHistory == specimen.bext.codingHistory)
      #expect(read.cues == specimen.cues)
      #expect(read.assumptions.isEmpty)
      let ixml = IXML(text: read.ixml ?? "", speed: specimen.ixml.speed)
      #expect(ixml.project == specimen.ixml.project)
      #expect(ixml.tracks == specimen.ixml.tracks)
      #expect(ixml.syncPoints == specimen.ixml.syncPoints)
      #expect(ixml.fileSet == specimen.ixml.fileSet)
    }
  }

  @Test("metadata is replaced in place where it fits the room, and else not at all")
  func metadataPatch() throws {
    let specimen = Specimen(format: format(2), frames: 100)
    var ixml = specimen.ixml
    ixml.scene = "99Z"
    let patch = try #require(specimen.header.metadataPatch(bext: specimen.bext, ixml: ixml))
    var bytes = specimen.bytes
    bytes.replaceSubrange(
      Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    #expect(bytes.count == specimen.bytes.count)
    let read = try Specimen.read(bytes)
    #expect(read.frames == 100)
    #expect(read.ixml?.contains("<SCENE>99Z</SCENE>") == true)
    ixml.note = String(repeating: "x", count: 16_384)
    #expect(specimen.header.metadataPatch(bext: specimen.bext, ixml: ixml) == nil)
  }
}
