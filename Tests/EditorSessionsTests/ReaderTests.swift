import CLinux
import EditorSessions
import Glibc
import TestFolders
import TestLanes
import Testing

/// What the editors' own readers make of our files.
@Suite("Readers of sessions", .live)
struct ReaderTests {
  /// Sessions in a folder of the test's own.
  private struct Folder {
    let place = TestFolder()
    var path: String { place.path }

    func write(_ bytes: [UInt8], to name: String) -> String { place.write(bytes, to: name) }

    func write(_ format: EditorFormat, _ project: EditorProject) throws -> String {
      let files = try format.files(of: project)
      return write(Array(files[0].text.utf8), to: files[0].name)
    }
  }

  @Test("xmllint takes FCPXML and Ardour's file for well-formed")
  func wellFormed() throws {
    let folder = Folder()
    for format in [EditorFormat.fcpxml, .ardour] {
      let file = try folder.write(format, SampleProject.make())
      let result = Shell.run("xmllint", ["--noout", file])
      #expect(result.code == 0, "\(result.output)")
    }
  }

  @Test(
    "OpenTimelineIO reads timeline, clips, gaps, drift and markers",
    .enabled(if: Shell.hasPackage("opentimelineio"), "run .ci/setup"))
  func timeline() throws {
    let folder = Folder()
    let file = try folder.write(.otio, SampleProject.make())
    let script = """
      import sys, opentimelineio as otio
      t = otio.adapters.read_from_file(sys.argv[1])
      print(t.name, t.global_start_time.value, len(t.tracks))
      for track in t.tracks:
          for item in track:
              r = item.trimmed_range_in_parent()
              print(type(item).__name__, repr(item.name), round(r.start_time.value, 6),
                    round(r.duration.value, 6), [e.time_scalar for e in item.effects])
      m = t.tracks.markers[0]
      print(repr(m.name), m.marked_range.start_time.value)
      """
    let result = Shell.run(Shell.python, ["-c", script, file])
    #expect(
      result.output.split(separator: "\n").map(String.init) == [
        "take 12A/3 1728000000.0 2", "Clip 'one' 0.0 480000.0 []", "Gap '' 0.0 960.012 []",
        "Clip 'two <x> & \"y\"' 960.012 480000.239997 [1.000012]",
        "'clap\\n& \"go\"' 72000.0",
      ], "\(result.output)")
  }

  @Test("Ardour opens the session, and regions and markers are where they belong")
  func ardour() throws {
    let folder = Folder()
    let paths = [(2, 480_000), (1, 480_006)].enumerated().map { number, shape in
      folder.write(Self.silence(channels: shape.0, frames: shape.1), to: "\(number).wav")
    }
    let project = SampleProject.make(paths: paths)
    let file = try folder.write(.ardour, project)
    let script = """
      local backend = AudioEngine:set_backend("None (Dummy)", "", "")
      backend:set_device_name("Normal Speed")
      AudioEngine:start(true)
      local s = load_session("\(folder.path)/take_12A_3", "take_12A_3")
      assert(s)
      for r in s:get_routes():iter() do
        local t = r:to_track()
        if not t:isnil() then
          for x in t:playlist():region_list():iter() do
            print("REGION", r:name(), x:position():samples(), x:length():samples())
          end
        end
      end
      for l in s:locations():list():iter() do print("LOCATION", l:start():samples()) end
      close_session()
      quit()
      """
    let lua = folder.write(Array(script.utf8), to: "look.lua")
    #expect(file.hasSuffix("/take_12A_3/take_12A_3.ardour"))
    let result = Shell.run("ardour7-lua", [lua])
    let found = result.output.split(separator: "\n").filter {
      $0.hasPrefix("REGION") || $0.hasPrefix("LOCATION")
    }.map { $0.split(separator: "\t").joined(separator: " ") }
    #expect(
      found == [
        "REGION rec-a 1728000000 480000", "REGION rec \"b\" 1728000960 480006",
        "LOCATION 1728000000", "LOCATION 1728072000",
      ], "\(result.output)")
  }

  private static func silence(channels: Int, frames: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let bytes = channels * frames * 2
    let format =
      little(1, 2) + little(channels, 2) + little(48_000, 4) + little(96_000 * channels, 4)
      + little(2 * channels, 2) + little(16, 2)
    return Array("RIFF".utf8) + little(36 + bytes, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
      + format + Array("data".utf8) + little(bytes, 4) + [UInt8](repeating: 0, count: bytes)
  }
}
