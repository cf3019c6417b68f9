import AcousticScene
import TestLanes
import Testing

@Suite("The scene", .computing)
struct SceneTests {
  static let scene = Scene(seed: 11, seconds: 4)

  @Test("the same seed makes the same scene, another seed another")
  func seeds() {
    #expect(Scene(seed: 11, seconds: 1).samples == Scene(seed: 11, seconds: 1).samples)
    #expect(Scene(seed: 11, seconds: 1).samples != Scene(seed: 12, seconds: 1).samples)
  }

  @Test("it never clips, and no tenth of a second of it is silent")
  func levels() {
    let samples = Self.scene.samples
    #expect(samples.count == 4 * 48_000)
    #expect(samples.allSatisfy { $0.magnitude <= 0.9 })
    for start in stride(from: 0, to: samples.count, by: 4_800) {
      let power = samples[start..<start + 4_800].reduce(0) { $0 + $1 * $1 } / 4_800
      #expect(power.squareRoot() > 0.002, "at sample \(start)")
    }
  }

  @Test("as bytes it is float32, little-endian")
  func bytes() {
    let bytes = Self.scene.bytes
    #expect(bytes.count == 4 * Self.scene.samples.count)
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[400 + $1]) << UInt32(8 * $1) }
    #expect(Float(bitPattern: bits) == Self.scene.samples[100])
  }
}
