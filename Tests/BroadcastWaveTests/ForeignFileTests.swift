import BroadcastWave
import TestLanes
import Testing
import Units

/// Files laid out as other recorders and tools lay them out, built chunk by chunk.
@Suite("Files of other recorders", .computing)
struct ForeignFileTests {
  static let format = WaveFormat(
    sampleRate: SampleRate(hertz: 48_000), channels: 2, encoding: .integer(bits: 24))

  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func chunk(_ name: String, _ body: [UInt8], pad: UInt8 = 0) -> [UInt8] {
    Array(name.utf8) + number(UInt32(body.count)) + body + (body.count % 2 == 1 ? [pad] : [])
  }

  static func file(_ chunks: [UInt8]..., form: String = "RIFF") -> [UInt8] {
    let body = chunks.flatMap { $0 }
    return Array(form.utf8) + number(UInt32(4 + body.count)) + Array("WAVE".utf8) + body
  }

  static let fmt = chunk(
    "fmt ",
    number(UInt16(1)) + number(UInt16(2)) + number(UInt32(48_000)) + number(UInt32(288_000))
      + number(UInt16(6)) + number(UInt16(24)))
  static let data = chunk("data", [UInt8](repeating: 1, count: 600))

  static func bext(date: String = "2018-12-31", description: String = "") -> Bext? {
    var bext = Bext(
      description: description, originator: "field recorder", originatorReference: "USSDV1",
      begins: CivilTime(unixNanoseconds: 0, utcOffsetSeconds: 0), timeReference: 2_191_661_476,
      codingHistory: "A=PCM,F=48000,W=24,M=stereo,R=48000,T=2 Ch\r\n")
    bext.originationDate = date
    bext.originationTime = "12:40:06"
    return Bext(body: bext.body)
  }

  @Test("bext and iXML behind the audio, PAD chunks between, an odd chunk with a pad that is none")
  func behind() throws {
    let text = Array("\u{FEFF}<BWFXML><SCENE>12A</SCENE></BWFXML>\n".utf8) + [0, 0, 0]
    let bytes = Self.file(
      Self.chunk("PAD ", [UInt8](repeating: 0, count: 100)), Self.fmt,
      Self.chunk("odd ", [1, 2, 3], pad: 77), Self.data, Self.chunk("PAD ", [0, 0]),
      Self.chunk("iXML", text), Self.chunk("bext", try #require(Self.bext()).body))
    let read = try Specimen.read(bytes)
    #expect(read.frames == 100)
    #expect(read.bext?.timeReference == 2_191_661_476)
    #expect(read.ixml == "<BWFXML><SCENE>12A</SCENE></BWFXML>")
    #expect(read.assumptions == [])
    #expect(read.toldLength == UInt64(bytes.count))
    #expect(read.chunks.map(\.name) == ["PAD ", "fmt ", "odd ", "data", "PAD ", "iXML", "bext"])
  }

  @Test("RF64 is refused without the chunk that holds its sizes")
  func noWideSizes() {
    #expect(throws: WaveError.noWideSizes) {
      try Specimen.read(Self.file(Self.fmt, Self.data, form: "RF64"))
    }
  }

  @Test("labels, notes and regions of cues, in any script")
  func cues() throws {
    func label(_ name: String, _ id: UInt32, _ text: [UInt8]) -> [UInt8] {
      Self.chunk(name, Self.number(id) + text)
    }
    let point =
      Self.number(UInt32(1)) + Self.number(UInt32(7)) + Self.number(UInt32(50))
      + Array("data".utf8) + Self.number(UInt32(0)) + Self.number(UInt32(0))
      + Self.number(UInt32(50))
    let list =
      Array("adtl".utf8) + label("labl", 7, Array("Marker 2".utf8) + [0])
      + label("note", 7, Array("Лорем ипсум".utf8) + [0])
      + label("ltxt", 7, Self.number(UInt32(20)) + Array("rgn ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0])
    let read = try Specimen.read(
      Self.file(Self.fmt, Self.data, Self.chunk("cue ", point), Self.chunk("LIST", list)))
    #expect(
      read.cues == [CuePoint(frame: 50, text: "Marker 2", note: "Лорем ипсум", frames: 20)])
  }

  @Test(
    "a date with anything between its parts",
    arguments: ["2018-12-31", "2018:12:31", "2018/12/31", "2018_12_31", "2018.12.31", "20181231"])
  func dates(text: String) {
    #expect(Self.bext(date: text)?.civilDate == "2018-12-31")
    #expect(Self.bext(date: text)?.civilTime == "12:40:06")
  }

  @Test("what is no date is none", arguments: ["", "31.12.2018", "2018-13-01", "yesterday"])
  func noDates(text: String) { #expect(Self.bext(date: text)?.civilDate == nil) }

  @Test("values by name in the description, and the frame rate among them")
  func description() throws {
    let bext = try #require(
      Self.bext(description: "sSPEED=023.976-ND\r\nsTAKE=3\r\nsSCENE=A101\r\nsNOTE=\r\n"))
    #expect(bext.namedValues == ["SPEED": "023.976-ND", "TAKE": "3", "SCENE": "A101"])
    #expect(bext.frameRate == .fps23976)
    #expect(Self.bext(description: "sSPEED=029.97-DF")?.frameRate == .fps2997Drop)
    #expect(bext.codingValue("M") == "stereo" && bext.codingValue("F") == "48000")
  }

  @Test("a start four samples into a frame at 23.976")
  func timecode() throws {
    let bext = try #require(Self.bext())
    let rate = SampleRate(hertz: 48_000)
    let code = Timecode(sample: bext.timeReference, sampleRate: rate, rate: .fps23976)
    #expect(code.description == "12:40:14:00")
    #expect(bext.timeReference - code.firstSample(sampleRate: rate) == 4)
  }
}
