import Sealing
import TestLanes
import Testing

@Suite("The generator of nonces", .computing)
struct SecureGeneratorTests {
  @Test("repeats its sequence for a seed, which is the library's own stream")
  func repeats() {
    var generator = SecureGenerator(simulationSeed: 7)
    #expect(Hex.text(generator.bytes(16)) == "b63d507d6e409ca61d9ca74798395d58")
    // The 464 bytes that are left of the first block do not do for 465: the second begins.
    _ = generator.bytes(464)
    #expect(Hex.text(generator.bytes(8)) == "e09643257de372da")
  }

  @Test("never gives the same 24 bytes twice, over many blocks")
  func distinct() {
    var generator = SecureGenerator(seed: [UInt8](repeating: 3, count: 32))
    let nonces = (0..<10_000).map { _ in generator.bytes(24) }
    #expect(Set(nonces).count == nonces.count)
  }

  @Test("a copy goes on by itself")
  func copies() {
    var one = SecureGenerator(simulationSeed: 1)
    _ = one.next()
    var other = one
    #expect(one.next() == other.next())
  }

  @Test("gives up to 480 bytes at once", arguments: [0, 1, 480])
  func draws(count: Int) {
    var generator = SecureGenerator(simulationSeed: 2)
    _ = generator.next()
    let drawn = generator.bytes(count)
    #expect(drawn.count == count)
    #expect(count < 480 || drawn.filter { $0 == 0 }.count < 20)
  }
}
