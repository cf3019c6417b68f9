import BroadcastWave
import TestLanes
import Testing
import Units

@Suite("Files that others left behind", .computing)
struct DamagedFileTests {
  private let specimen = Specimen(
    format: WaveFormat(
      sampleRate: SampleRate(hertz: 48_000), channels: 2, encoding: .integer(bits: 24)),
    frames: 1000)

  private func with(dataSize: UInt32) -> [UInt8] {
    var bytes = specimen.bytes
    for shift in 0..<4 {
      bytes[16_380 + shift] = UInt8(truncatingIfNeeded: dataSize >> (8 * shift))
    }
    return bytes
  }

  @Test(
    "a size of nothing, of all ones or beyond the end means: all there is",
    arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000, 100_000] as [UInt32])
  func sizes(size: UInt32) throws {
    let read = try Specimen.read(with(dataSize: size))
    #expect(read.frames == 1000)
    #expect(read.assumptions.count == 1)
  }

  @Test("a file cut in the middle of a frame has the whole frames before")
  func torn() throws {
    let read = try Specimen.read(Array(specimen.bytes.dropLast(7)))
    #expect(read.frames == 998)
  }

  @Test("what is no sound file is refused with its reason")
  func refusals() {
    #expect(throws: WaveError.notWave) { try Specimen.read([]) }
    #expect(throws: WaveError.notWave) { try Specimen.read(Array("RIFX....WAVE".utf8)) }
    #expect(throws: WaveError.noFormat) { try Specimen.read(Array("RIFF....WAVE".utf8)) }
    #expect(throws: WaveError.noAudio) { try Specimen.read(Array(specimen.bytes[..<16_370])) }
  }

  @Test("no bytes make the reader fail in any other way", arguments: 0..<8 as Range<UInt64>)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = Specimen(
      format: specimen.format, frames: 10, cues: [CuePoint(frame: 3, text: "x")]
    ).bytes
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        // Half of the damage falls on chunk headers, where it hurts.
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[Bool.random(using: &generator) ? place : place % 1000] = UInt8(
          truncatingIfNeeded: generator.next())
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 8)
      guard let read = try? Specimen.read(bytes) else { continue }
      #expect(read.audioOffset + read.audioBytes <= UInt64(bytes.count), "seed \(seed)")
      _ = IXML(text: read.ixml ?? "", speed: specimen.ixml.speed)
    }
  }
}
