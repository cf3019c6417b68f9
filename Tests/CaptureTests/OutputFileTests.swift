import Glibc
import TestFolders
import TestLanes
import Testing

@testable import CaptureEngine

@Suite("Output files", .computing)
struct OutputFileTests {
  @Test("a file bears its name only when it is whole, and replaces nothing")
  func names() throws {
    let workspace = TestFolder()
    let path = workspace.path + "/a.wav"
    let file = try OutputFile(creating: path)
    try file.write([1, 2, 3], at: 2)
    try file.append([4])
    #expect(workspace.files == ["a.wav.part"])
    #expect(throws: CaptureError.output(path: path, code: EEXIST)) {
      _ = try OutputFile(creating: path)
    }
    try file.finish()
    #expect(workspace.files == ["a.wav"])
    #expect(workspace.bytes(of: "a.wav") == [0, 0, 1, 2, 3, 4])
    #expect(throws: CaptureError.output(path: path, code: EEXIST)) {
      _ = try OutputFile(creating: path)
    }
  }

  @Test("a name that is taken meanwhile is not overwritten")
  func race() throws {
    let workspace = TestFolder()
    let file = try OutputFile(creating: workspace.path + "/a.wav")
    try file.append([1])
    workspace.write([9], to: "a.wav")
    #expect(throws: CaptureError.output(path: workspace.path + "/a.wav", code: EEXIST)) {
      try file.finish()
    }
    #expect(workspace.bytes(of: "a.wav") == [9])
    #expect(workspace.bytes(of: "a.wav.part") == [1])
  }

  @Test("a write that the system refuses is an error that names the file")
  func refused() throws {
    let workspace = TestFolder()
    let file = try OutputFile(creating: workspace.path + "/b.wav")
    try file.write([1], at: 0)
    #expect(throws: CaptureError.self) { try file.write([1], at: 1 << 62) }
  }

  @Test("room is reserved ahead of what is written, and what is left over is given back")
  func reserve() throws {
    let workspace = TestFolder()
    let path = workspace.path + "/c.wav"
    let file = try OutputFile(creating: path)
    let blocks = { (name: String) -> Int64 in
      var found = stat()
      return stat(name, &found) == 0 ? Int64(found.st_blocks) * 512 : -1
    }
    for round in UInt64(0)..<3 {
      file.reserveAhead()
      try file.write([UInt8](repeating: 7, count: 4096), at: round * (8 << 20))
    }
    // A file system that reserves nothing has only what was written.
    let isReserving = blocks(path + ".part") > 12288
    if isReserving { #expect(blocks(path + ".part") >= 24 << 20) }
    let size = { (name: String) -> Int64 in
      var found = stat()
      return stat(name, &found) == 0 ? Int64(found.st_size) : -1
    }
    #expect(size(path + ".part") == (16 << 20) + 4096)
    try file.finish()
    #expect(size(path) == (16 << 20) + 4096)
    #expect(blocks(path) <= (16 << 20) + 65_536)
  }
}
