import Synchronization
import TestBuses
import TestLanes
import Testing

@testable import CaptureEngine
@testable import CardReservation

@Suite("The right to a card that comes back under another index", .live)
struct CardTenureTests {
  private func isFree(_ card: Int, _ bus: SessionBus) -> Bool {
    switch CardReservation.ask(card: card, address: bus.address) {
    case .reserved(let reservation): !reservation.wasGivenUp
    case .noBus, .refused: false
    }
  }

  private func index(_ pcm: String) -> Int? { Int(pcm.split(separator: ":").last ?? "") }

  @Test("the new card is asked for, the old one given back; under the same index nothing changes")
  func moves() throws {
    let bus = try #require(SessionBus())
    let tenure = CardTenure(pcm: "hw:3", bus: bus.address) { index($0) }
    #expect(tenure.keeper == nil && !isFree(3, bus) && isFree(5, bus))
    tenure.move(to: "hw:3")
    #expect(!isFree(3, bus))
    tenure.move(to: "hw:5")
    #expect(tenure.keeper == nil && isFree(3, bus) && !isFree(5, bus))
    tenure.release()
  }

  @Test("a sound server that took the card meanwhile gives it up when it is asked")
  func givenUp() throws {
    let bus = try #require(SessionBus())
    let desktop = Desktop(card: 6, address: bus.address)
    defer { desktop.stop() }
    let tenure = CardTenure(pcm: "hw:3", bus: bus.address) { index($0) }
    #expect(!tenure.wasGivenUp)
    tenure.move(to: "hw:6")
    #expect(tenure.keeper == nil && tenure.wasGivenUp)
    tenure.release()
  }

  @Test("who keeps the card is named, and asked again when the card is looked for again")
  func kept() throws {
    let bus = try #require(SessionBus())
    let other = CardTenure(pcm: "hw:7", bus: bus.address) { index($0) }
    let tenure = CardTenure(pcm: "hw:3", bus: bus.address) { index($0) }
    tenure.move(to: "hw:7")
    #expect(tenure.keeper == "recorder")
    other.release()
    tenure.move(to: "hw:8")
    #expect(tenure.keeper == nil && !isFree(8, bus))
    tenure.release()
  }

  @Test("what is no card is nobody's")
  func noCard() throws {
    let bus = try #require(SessionBus())
    let tenure = CardTenure(pcm: "microphone", bus: bus.address) { index($0) }
    #expect(tenure.keeper == nil)
    tenure.move(to: "hw:2")
    #expect(!isFree(2, bus))
    tenure.release()
  }
}
