import BroadcastWave
import TestLanes
import Testing
import Units

@Suite("iXML as others write it", .computing)
struct IXMLReadingTests {
  @Test("halves of a time as signed numbers of 32 bits")
  func signed() {
    let read = IXMLReading(
      """
      <BWFXML><SPEED>
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>0000000001</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO> -2103305820 </TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>
      <TIMECODE_RATE>30000/1001</TIMECODE_RATE><TIMECODE_FLAG>DF</TIMECODE_FLAG>
      </SPEED></BWFXML>
      """)
    #expect(read.timeReference == 1 << 32 | 2_191_661_476)
    #expect(read.frameRate == .fps2997Drop)
    #expect(read.faults == [])
  }

  @Test("an element keeps to its parent: the note of the speed is not the take's")
  func nested() {
    let read = IXMLReading("<BWFXML><SPEED><NOTE>pull</NOTE></SPEED><NOTE/><TAKE>3</TAKE></BWFXML>")
    #expect(read.note == nil)
    #expect(read.take == "3")
  }

  @Test("prefixes that nobody declared, attributes, comments and verbatim text")
  func prefixes() {
    let read = IXMLReading(
      """
      <?xml version="1.0"?><!DOCTYPE x><!-- <SCENE>no</SCENE> --><x:BWFXML a="1">
      <x:SCENE lang='de'>Stra&#xDF;e &amp; <![CDATA[<1>]]></x:SCENE></x:BWFXML>
      """)
    #expect(read.scene == "Straße & <1>")
    #expect(read.faults == ["the iXML is broken XML (undeclared: x)"])
    #expect(IXMLReading("<x:BWFXML xmlns:x=\"u\"></x:BWFXML>").faults == [])
  }

  @Test("ends that are missing, stray or cut off: what can be read is read, and it is said")
  func broken() {
    let read = IXMLReading(
      "<BWFXML><PROJECT>P & Q<SCENE>1 < 2</SCENE></TAPE><TRACK_LIST><TRACK>"
        + "<INTERLEAVE_INDEX>1</INTERLEAVE_INDEX><NAME>Boom")
    #expect(read.project == "P & Q")
    #expect(read.scene == "1 < 2")
    #expect(read.tracks == [IXML.Track(channel: 1, interleave: 1, name: "Boom")])
    #expect(read.faults.count == 3)
    #expect(IXMLReading("no XML").faults == ["the iXML has no element BWFXML around it"])
  }

  @Test("no bytes make the reading fail", arguments: 0..<8 as Range<UInt64>)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "<", ">", "</", "/>", "BWFXML", "<BWFXML>", "</BWFXML>", "<SPEED>", "<![CDATA[", "]]>",
      "<!--",
      "&", "&#x110000;", "&lt;", "x:", "é", " ", "=", "9", "\u{0}",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...60, using: &generator))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
      let read = IXMLReading(text)
      #expect(read.faults.count <= 20, "seed \(seed): \(text)")
    }
  }

  @Test("what bext and iXML contradict each other in, and nothing else")
  func disagreements() throws {
    let bext = try #require(
      ForeignFileTests.bext(description: "sSCENE=A101\r\nsTAKE=3\r\nsUBITS=$12311803"))
    func found(_ ixml: String) -> [String] {
      Disagreement.all(
        format: ForeignFileTests.format, bext: bext, ixml: IXMLReading(ixml)
      ).map(\.field)
    }
    let time =
      "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>2191661475</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>"
    #expect(found("<BWFXML><SCENE>A101</SCENE><UBITS>12311803</UBITS></BWFXML>") == [])
    #expect(
      found(
        "<BWFXML><SCENE>A102</SCENE><TAKE>4</TAKE><SPEED><FILE_SAMPLE_RATE>44100</FILE_SAMPLE_RATE>"
          + "<AUDIO_BIT_DEPTH>16</AUDIO_BIT_DEPTH>\(time)</SPEED>"
          + "<TRACK_LIST><TRACK_COUNT>4</TRACK_COUNT></TRACK_LIST></BWFXML>")
        == ["time_reference", "scene", "take", "sample_rate_hz", "bits", "channels"])
  }
}
