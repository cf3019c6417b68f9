import Glibc
import Synchronization
import TestBuses
import TestLanes
import Testing

@testable import CardReservation

@Suite("Reserving a card", .live)
struct CardReservationTests {
  /// Another program that owns a card, as PipeWire does, and gives it up or not.
  private final class Owner: Sendable {
    let shallStop = Atomic<Bool>(false)
    nonisolated(unsafe) private var thread = pthread_t()

    init(_ reservation: CardReservation) {
      let box = Unmanaged.passRetained(Work(reservation, self))
      pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
          while !work.owner.shallStop.load(ordering: .relaxed) {
            _ = work.reservation.serve(milliseconds: 20)
          }
          return nil
        }, box.toOpaque())
    }

    private final class Work {
      let reservation: CardReservation
      let owner: Owner

      init(_ reservation: CardReservation, _ owner: Owner) {
        self.reservation = reservation
        self.owner = owner
      }
    }

    func stop() {
      shallStop.store(true, ordering: .relaxed)
      pthread_join(thread, nil)
    }
  }

  private func reserved(_ outcome: CardReservation.Outcome) throws -> CardReservation {
    guard case .reserved(let reservation) = outcome else {
      Issue.record("not reserved but \(outcome)")
      throw Refused()
    }
    return reservation
  }

  private struct Refused: Error {}

  @Test("without a bus there is nobody to ask, and no waiting")
  func noBus() {
    guard case .noBus = CardReservation.ask(card: 0, address: "unix:path=/nonexistent/bus") else {
      Issue.record("a bus that there is not has answered")
      return
    }
  }

  @Test("a free card is reserved until it is given back; another card is another matter")
  func free() throws {
    let bus = try #require(SessionBus())
    var first: CardReservation? = try reserved(
      CardReservation.ask(card: 3, address: bus.address))
    #expect(first?.wasGivenUp == false)
    _ = try reserved(CardReservation.ask(card: 4, address: bus.address))
    first = nil
    let second = try reserved(CardReservation.ask(card: 3, address: bus.address))
    #expect(!second.wasGivenUp)
  }

  @Test("who has reserved a card keeps it, answers, and is named")
  func kept() throws {
    let bus = try #require(SessionBus())
    let owner = Owner(try reserved(CardReservation.ask(card: 1, address: bus.address)))
    guard case .refused(let name) = CardReservation.ask(card: 1, address: bus.address) else {
      Issue.record("a card that is recorded from was given up")
      return
    }
    #expect(name == "recorder")
    owner.stop()
    _ = try reserved(CardReservation.ask(card: 1, address: bus.address))
  }

  @Test("a desktop's sound server gives its card up when it is asked")
  func givenUp() throws {
    let bus = try #require(SessionBus())
    let desktop = Desktop(card: 0, address: bus.address)
    defer { desktop.stop() }
    let got = try reserved(CardReservation.ask(card: 0, address: bus.address))
    #expect(got.wasGivenUp)
  }
}
