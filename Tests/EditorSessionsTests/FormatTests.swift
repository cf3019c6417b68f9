import BroadcastWave
import EditorSessions
import TestLanes
import Testing
import Units

@Suite("Sessions for editors", .computing)
struct FormatTests {
  private func text(_ format: EditorFormat, file: Int = 0) throws -> String {
    try format.files(of: SampleProject.make())[file].text
  }

  @Test("Reaper: positions below the sample, drift as play rate, quotes that it can read")
  func reaper() throws {
    let files = try EditorFormat.reaper.files(of: SampleProject.make())
    #expect(files.map(\.name) == ["take_12A_3.rpp"])
    let lines = files[0].text.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.contains("PROJOFFS 36000.000000000 0 0"))
    #expect(lines.contains("TIMEMODE 1 5 -1 25 0 0 -1"))
    #expect(lines.contains("MARKER 1 1.500000000000 'clap & \"go\"' 0"))
    #expect(lines.contains("POSITION 0.020000250000"))
    #expect(lines.contains("PLAYRATE 1.00001200000000 0 0 -1 0 0.0025"))
    #expect(lines.contains("LENGTH 10.000004999940"))
    #expect(lines.contains("NAME 'rec \"b\"'"))
    #expect(lines.contains("FILE \"/tmp/a b & c/two's.wav\""))
    // Every block that is opened is closed.
    #expect(lines.filter { $0.hasPrefix("<") }.count == lines.filter { $0 == ">" }.count)
  }

  @Test("what sounds at once on one track is spread over several; what follows is not")
  func spread() {
    let rate = SampleRate(hertz: 48_000)
    func clip(_ name: String, at start: Double) -> EditorClip {
      EditorClip(
        path: "/\(name).wav", name: name, track: "rec-a", channels: 1, sampleRate: rate,
        frames: FrameCount(48_000), start: start, timeReference: 0)
    }
    let project = EditorProject(
      name: "x", sampleRate: rate, frameRate: .fps25, startSample: 0,
      clips: [
        clip("one", at: 0), clip("two", at: 0), clip("three", at: 1 - 1e-9), clip("four", at: 0.5),
      ])
    #expect(project.clips.map(\.name) == ["one", "two", "three", "four"])
    #expect(project.clips.map(\.track) == ["rec-a", "rec-a 2", "rec-a", "rec-a 3"])
    #expect(project.tracks == ["rec-a", "rec-a 2", "rec-a 3"])
  }

  @Test("an edit list for each host: timecode to the frame, the rest in words")
  func edl() throws {
    let files = try EditorFormat.edl.files(of: SampleProject.make())
    #expect(files.map(\.name) == ["take_12A_3_rec-a.edl", "take_12A_3_rec__b_.edl"])
    let lines = files[1].text.split(separator: "\r\n").map(String.init)
    #expect(lines[1] == "FCM: NON-DROP FRAME")
    #expect(
      lines[2]
        == "001  RECB     A    C        10:00:00:00 10:00:10:00 10:00:00:00 10:00:10:00")
    #expect(lines[5] == "* RECORD IN IS 960 SAMPLES AFTER THE FRAME'S START")
    #expect(lines[6] == "* SPEED 1.000012000")
  }

  @Test("an event crosses a drop-frame minute by the label that is there")
  func dropFrame() throws {
    let rate = SampleRate(hertz: 48_000)
    let minute = try #require(Timecode("01:00:59;29", rate: .fps2997Drop))
    let start = minute.firstSample(sampleRate: rate)
    let clip = EditorClip(
      path: "/x.wav", name: "x", track: "x", channels: 1, sampleRate: rate,
      frames: FrameCount(4805), start: 0, timeReference: start)
    let project = EditorProject(
      name: "x", sampleRate: rate, frameRate: .fps2997Drop, startSample: start, clips: [clip])
    let text = try EditorFormat.edl.files(of: project)[0].text
    // 4805 samples are three frames and one sample; 01:01:00;00 and ;01 have no labels.
    #expect(text.contains("01:00:59;29 01:01:00;04 01:00:59;29 01:01:00;04"))
    #expect(text.contains("FCM: DROP FRAME"))
  }

  @Test("Audacity: a strict parser reads files and labels back")
  func audacity() throws {
    let files = try text(.audacity).split(separator: "\n").dropFirst().map(String.init)
    let read = files.compactMap { line -> (String, Double)? in
      guard let match = line.wholeMatch(of: /file "([^"]*)" offset (\d+\.\d+)/),
        let offset = Double(match.2)
      else { return nil }
      return (String(match.1), offset)
    }
    #expect(read.map(\.0) == ["/tmp/a b & c/one.wav", "/tmp/a b & c/two's.wav"])
    #expect(read.map(\.1) == [0, 0.020_000_25])
    #expect(try text(.audacity, file: 1) == "1.500000000\t1.500000000\tclap & \"go\"\n")
    let quoted = SampleProject.make(paths: ["/x\".wav", "/y.wav"])
    #expect(throws: EditorExportError.unwritablePath("/x\".wav", format: .audacity)) {
      try EditorFormat.audacity.files(of: quoted)
    }
  }

  @Test("reports in columns: what holds a comma is quoted")
  func reports() throws {
    let lines = try text(.csv).split(separator: "\r\n").map(String.init)
    #expect(
      lines[1]
        == "one,rec-a,12A,3,10:00:00:00,10:00:10:00,10.000000,2,48000,1728000000,0.0000,"
        + "\"wind, \"\"cars\"\"\"")
    #expect(lines[2].hasPrefix("\"two <x> & \"\"y\"\"\",\"rec \"\"b\"\"\",,,10:00:00:00,"))
    #expect(lines[2].hasSuffix(",1,48000,1728000960,12.0000,"))
    let ale = try text(.ale).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(ale[3] == "AUDIO_FORMAT\t48khz")
    #expect(
      ale[10]
        == "one\tA1A2\t10:00:00:00\t10:00:10:00\t12A\t3\trec-a\t/tmp/a b & c/one.wav\twind, \"cars\""
    )
  }

  @Test("Final Cut: exact fractions of a second")
  func finalCut() throws {
    let text = try text(.fcpxml)
    #expect(text.contains("frameDuration=\"1/25s\""))
    #expect(text.contains("tcStart=\"1728000000/48000s\""))
    #expect(text.contains("offset=\"1728000960/48000s\""))
    #expect(text.contains("src=\"file:///tmp/a%20b%20%26%20c/two%27s.wav\""))
    #expect(text.contains("value=\"clap&#10;&amp; &quot;go&quot;\""))
  }
}
