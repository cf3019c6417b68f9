import FileIO
import Glibc
import TestFolders
import TestLanes
import Testing

@Suite(.live)
struct FileIOTests {
  private let place = TestFolder()
  private var folder: String { place.path }

  @Test("a small file is read up to its limit, and one byte more is refused")
  func limits() throws {
    let path = folder + "/four"
    try FileIO.write(path, [1, 2, 3, 4])
    #expect(try FileIO.contents(of: path, limit: 4) == [1, 2, 3, 4])
    #expect(throws: SystemFailure(code: EFBIG)) { try FileIO.contents(of: path, limit: 3) }
    #expect(throws: SystemFailure(code: ENOENT)) {
      try FileIO.contents(of: folder + "/none", limit: 4)
    }
  }

  @Test("a file is replaced whole, with nothing left beside it")
  func replaces() throws {
    let path = folder + "/state"
    try FileIO.replace(path, with: [UInt8](repeating: 7, count: 100))
    try FileIO.replace(path, with: [9])
    #expect(try FileIO.contents(of: path, limit: 100) == [9])
    #expect(try Folders.names(in: folder) == ["state"])
    var found = stat()
    #expect(stat(path, &found) == 0)
    #expect(found.st_mode & 0o777 == 0o600)
  }

  @Test("bytes go to their place, and what is read stops at the end")
  func places() throws {
    let descriptor = open(folder + "/bytes", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try FileIO.write([1, 2, 3], to: descriptor, at: 2)
    #expect(try FileIO.read(descriptor, at: 0, count: 10) == [0, 0, 1, 2, 3])
    #expect(try FileIO.read(descriptor, at: 4, count: 1) == [3])
    #expect(try FileIO.read(descriptor, at: 9, count: 1) == [])
    #expect(throws: SystemFailure(code: EBADF)) { try FileIO.write([1], to: -1, at: 0) }
    #expect(throws: SystemFailure(code: EBADF)) { try FileIO.read(-1, at: 0, count: 1) }
  }

  @Test("a full disk is said to be one")
  func fullDisk() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: SystemFailure(code: ENOSPC)) { try FileIO.write([1], to: descriptor, at: 0) }
  }

  @Test("folders are made with those above them, and their names are told in order")
  func folders() throws {
    for name in ["b", ".hidden", "a"] { try Folders.make("\(folder)/\(name)", mode: 0o755) }
    try Folders.make(folder + "/a", mode: 0o755)
    #expect(try Folders.names(in: folder) == ["a", "b"])
    #expect(try Folders.names(in: folder, limit: 2) == ["a", "b"])
    #expect(throws: SystemFailure(code: EFBIG)) { try Folders.names(in: folder, limit: 1) }
    try FileIO.write(folder + "/file", [])
    #expect(Folders.isFolder(folder + "/a"))
    #expect(!Folders.isFolder(folder + "/file"))
    #expect(throws: SystemFailure(code: ENOTDIR)) {
      try Folders.make(folder + "/file/below", mode: 0o755)
    }
    rmdir(folder + "/.hidden")
  }

  @Test("the folder of a path")
  func parents() {
    #expect(Folders.folder(of: "a") == ".")
    #expect(Folders.folder(of: "/a") == "/")
    #expect(Folders.folder(of: "/a/b") == "/a")
    #expect(Folders.folder(of: "a/b/") == "a/b")
    #expect(SystemFailure(code: ENOSPC).description == "No space left on device")
  }
}
