import Glibc
import Recording
import TestFolders
import TestLanes
import Testing

@testable import Commands

@Suite("Values of options", .computing)
struct OptionTests {
  private func reader(_ words: String...) throws -> OptionReader {
    OptionReader(line: try CommandLineParser.parse(["daemon"] + words))
  }

  @Test("numbers within their range, and one beyond on each side")
  func numbers() throws {
    #expect(try reader("--port", "0").number("--port", in: 0...65_535) == 0)
    #expect(try reader("--port", "65535").number("--port", in: 0...65_535) == 65_535)
    #expect(try reader().number("--port", in: 0...65_535) == nil)
    for bad in ["65536", "-1", "1.5", "x", "99999999999999999999"] {
      #expect(throws: UsageError.self) {
        try reader("--port=\(bad)").number("--port", in: 0...65_535)
      }
    }
  }

  @Test("places of peers, with or without a port, IPv6 in brackets and with its interface")
  func peerPlaces() throws {
    let found = try reader("--peers", "10.0.0.1:7,[fe80::1%eth0]:8,fd00::2,[::1]", "--peers", "c")
      .places("--peers")
    #expect(found.map(\.host) == ["10.0.0.1", "fe80::1%eth0", "fd00::2", "::1", "c"])
    #expect(found.map(\.port) == [7, 8, nil, nil, nil])
    // As people write lists.
    let spaced = try reader("--peers", "studio, 10.0.0.7:5000 ,\t[fe80::1%eth0]:5000, ")
    #expect(
      try spaced.places("--peers").map(\.host) == ["studio", "10.0.0.7", "fe80::1%eth0"])
    let long = String(repeating: "a", count: 253)
    #expect(PeerPlace(long) != nil)
    for bad in [":7", "a:0", "a:65536", "[]:7", "[]", "a:x", "[::1]7", "[::1", "a b", long + "a"] {
      #expect(throws: UsageError.self) { try reader("--peers", bad).places("--peers") }
    }
  }

  @Test("channels and their names, each only where it is recorded")
  func channels() throws {
    let chosen = try reader("--channels", "1,3", "--track", "3=Guitar, left", "--track", "1=Vocal")
    let selection = try chosen.channels("--channels")
    #expect(selection == .these([1, 3]))
    #expect(
      try chosen.tracks("--track", of: selection) == [
        Track(channel: 3, name: "Guitar, left"), Track(channel: 1, name: "Vocal"),
      ])
    #expect(try reader("--track", "64=x").tracks("--track", of: nil).count == 1)
    let longest = String(repeating: "x", count: 64)
    #expect(try reader("--track", "2=" + longest).tracks("--track", of: .first(2)).count == 1)
    for bad in ["2=Bass", "3=", "3", "=x", "x=3", "0=x", "65=x", "3=x" + longest] {
      #expect(throws: UsageError.self) {
        try reader("--track", bad).tracks("--track", of: selection)
      }
    }
    #expect(throws: UsageError.self) {
      try reader("--track", "1=a", "--track", "1=b").tracks("--track", of: nil)
    }
    #expect(throws: UsageError.self) { try reader("--channels", "1,1").channels("--channels") }
    #expect(throws: UsageError.self) { try reader("--channels", "65").channels("--channels") }
  }

  @Test("places follow the desktop's variables, and relative ones are not believed")
  func places() {
    let variables = ["XDG_STATE_HOME": "/s", "XDG_MUSIC_DIR": "music", "HOME": "/h"]
    let places = UserPlaces { variables[$0] }
    #expect(places.state == "/s/recorder")
    #expect(UserPlaces { $0 == "HOME" ? "/h" : nil }.state == "/h/.local/state/recorder")
    #expect(places.recordings == "Recordings" || places.recordings == "/h/Music/Recordings")
  }

  @Test("a passphrase is its file's first line, and a file that others can read is noticed")
  func secrets() throws {
    var template = Array("/tmp/secret-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    let text = Array("two words\r\nand more\n".utf8)
    #expect(write(file, text, text.count) == text.count)
    close(file)
    guard case .text("two words", let isOpen) = SecretFile.read(path) else {
      Issue.record("the first line was not read")
      return
    }
    #expect(!isOpen)
    chmod(path, 0o644)
    guard case .text(_, true) = SecretFile.read(path) else {
      Issue.record("the open file was not noticed")
      return
    }
    guard case .unreadable = SecretFile.read(path + ".not") else {
      Issue.record("a missing file was read")
      return
    }
  }

  @Test("a folder that cannot be written says why; one that is missing is made")
  func folders() {
    let place = TestFolder()
    let folder = place.path
    #expect(Folder.reasonNotWritable(folder + "/a/b") == nil)
    #expect(access(folder + "/a/b", W_OK) == 0)
    #expect(Folder.reasonNotWritable("/proc/recorder") != nil)
    close(creat(folder + "/file", 0o600))
    #expect(Folder.reasonNotWritable(folder + "/file") == "Not a directory")
    for path in ["/file", "/a/b", "/a", ""] { remove(folder + path) }
  }
}

@Suite("Names of machines", .computing)
struct HostNameTests {
  @Test("a numeric address is itself, this machine's name is loopback, nonsense is nobody")
  func names() {
    #expect(HostNames.addresses(of: "192.168.7.9") == ["192.168.7.9"])
    #expect(HostNames.addresses(of: "localhost") == ["127.0.0.1"])
    #expect(HostNames.addresses(of: "not a name") == [])
  }
}
