import Control
import Glibc
import TestFolders
import TestLanes
import Testing

@testable import Commands

@Suite("The info command", .computing)
struct InfoTests {
  @Test("a sound file that is off fails only where that is asked for; what is none always does")
  func codes() throws {
    let scratch = TestFolder()
    // Mono, 16 bits, four frames; the header says two bytes more than there are.
    let wave: [UInt8] =
      Array("RIFF".utf8) + [46, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
      + [0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0] + Array("data".utf8) + [8, 0, 0, 0]
      + [UInt8](repeating: 0, count: 8)
    let path = scratch.write(wave, to: "odd.wav")
    var told = wave
    told[4] = 44
    let whole = scratch.write(told, to: "whole.wav")
    let none = scratch.write(Array("text".utf8), to: "none.wav")
    #expect(RecorderCommand.run(["info", path]) == ExitCode.success.rawValue)
    #expect(RecorderCommand.run(["info", "--strict", path]) == ExitCode.failed.rawValue)
    #expect(RecorderCommand.run(["info", "--strict", "--json", whole]) == 0)
    #expect(RecorderCommand.run(["info", "--json", whole, none]) == ExitCode.failed.rawValue)
    #expect(RecorderCommand.run(["info", scratch.path]) == ExitCode.failed.rawValue)
    #expect(RecorderCommand.run(["info"]) == ExitCode.usage.rawValue)
  }

  @Test("text of a foreign file cannot steer the terminal, and keeps its script")
  func plain() {
    #expect(PlainText.of("a\u{1b}[2Jb\r\nc\td\u{202E}e") == "a\u{FFFD}[2Jb c d\u{FFFD}e")
    #expect(PlainText.of("拍手 Straße 👩‍👧") == "拍手 Straße 👩‍👧")
  }
}
