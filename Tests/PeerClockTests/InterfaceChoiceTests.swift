import Sockets
import TestLanes
import Testing

@testable import PeerClock

@Suite("Which interfaces a clock uses", .computing)
struct InterfaceChoiceTests {
  private let any = InterfaceChoice.Wish(names: [], loopbackOnly: false)
  private let lo = NetworkInterface(
    name: "lo", index: 1, address: [127, 0, 0, 1], isLoopback: true, supportsMulticast: false)
  private let card = LinkTraits(isHardware: true)

  private func four(
    _ name: String, _ index: UInt32, _ last: UInt8 = 1, isUp: Bool = true,
    link: LinkTraits = LinkTraits()
  ) -> NetworkInterface {
    NetworkInterface(
      name: name, index: index, address: [10, 0, UInt8(index), last], isUp: isUp, link: link)
  }

  private func six(
    _ name: String, _ index: UInt32, prefix: [UInt8] = [0xfe, 0x80], link: LinkTraits = LinkTraits()
  ) -> NetworkInterface {
    let rest = [UInt8](repeating: 0, count: 15 - prefix.count) + [UInt8(index)]
    return NetworkInterface(name: name, index: index, address: prefix + rest, link: link)
  }

  private func chosen(
    _ wish: InterfaceChoice.Wish, _ all: [NetworkInterface]
  ) throws -> [String] {
    try InterfaceChoice.choose(wish, of: all).map { "\($0.name)/\($0.address.count == 4 ? 4 : 6)" }
  }

  @Test("both families of each card, once each; of IPv6 only the link's address")
  func families() throws {
    let all = [
      six("eth0", 2, link: card), six("eth0", 2, prefix: [0x20, 0x01], link: card), lo,
      four("wlan0", 3, link: card), four("eth0", 2, link: card), four("eth0", 2, 9, link: card),
      four("off0", 4, isUp: false, link: card),
    ]
    #expect(try chosen(any, all) == ["lo/4", "eth0/4", "eth0/6", "wlan0/4"])
  }

  @Test("bridges without hardware and cables into containers are left out, unless they are named")
  func containers() throws {
    let docker = four("docker0", 5, link: LinkTraits(isBridge: true))
    let lan = four("br0", 6, link: LinkTraits(isBridge: true, hasHardwarePort: true))
    let cable = six("veth7", 7, link: LinkTraits(isPort: true, isVirtualCable: true))
    let loose = six("ve-box", 8, link: LinkTraits(isVirtualCable: true))
    let all = [lo, four("eth0", 2, link: card), docker, lan, cable, loose]
    #expect(try chosen(any, all) == ["lo/4", "eth0/4", "br0/4"])
    let named = InterfaceChoice.Wish(names: ["docker0", "ve-box"], loopbackOnly: false)
    #expect(try chosen(named, all) == ["docker0/4", "ve-box/6"])
  }

  @Test("a container, which has nothing but a cable, uses it")
  func container() throws {
    let all = [lo, four("eth0", 8, link: LinkTraits(isVirtualCable: true))]
    #expect(try chosen(any, all) == ["lo/4", "eth0/4"])
  }

  @Test("loopback alone where there is no group, or nothing else was named")
  func loopback() throws {
    let all = [lo, four("eth0", 2, link: card)]
    let alone = InterfaceChoice.Wish(names: [], loopbackOnly: true)
    #expect(try chosen(alone, all) == ["lo/4"])
    #expect(InterfaceChoice.isLoopbackOnly(alone, of: all))
    let named = InterfaceChoice.Wish(names: ["lo"], loopbackOnly: false)
    #expect(InterfaceChoice.isLoopbackOnly(named, of: all))
    #expect(!InterfaceChoice.isLoopbackOnly(any, of: [lo]))
  }

  @Test("an interface that there is not is refused with those that there are")
  func unknown() {
    let wish = InterfaceChoice.Wish(names: ["eth7"], loopbackOnly: false)
    #expect(throws: PeerClockError.noSuchInterface(name: "eth7", available: ["eth0", "lo"])) {
      try InterfaceChoice.choose(wish, of: [lo, four("eth0", 2)])
    }
  }
}
