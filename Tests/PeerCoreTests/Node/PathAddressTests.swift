import PeerCore
import TestLanes
import Testing

@Suite("Places to send to", .computing)
struct PathAddressTests {
  @Test("a place is written as people write it")
  func text() {
    let four = PathAddress(interface: 2, address: [192, 168, 1, 20], port: 4711)
    #expect(four.description == "192.168.1.20:4711")
    let six = PathAddress(
      interface: 2, address: [0xfe, 0x80] + Array(repeating: 0, count: 13) + [1], port: 9)
    #expect(six.description == "[fe80:0:0:0:0:0:0:1]:9")
  }
}
