internal import CardReservation
internal import Realtime
internal import Synchronization

/// The right to a card, as far as desktops hand it around, for as long as the card is open.
final class CardClaim: Sendable {
  /// How long a program that has given a card up may take to close it.
  static let patienceMilliseconds = 1500

  private let reservation: CardReservation?
  /// The program that was asked for the card and keeps it.
  let keeper: String?
  private let shallStop: Flag
  private let thread: RealtimeThread?

  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  /// Asks for the card with ALSA's `index`; without a bus, or for what is no card, that is nothing.
  ///
  /// - Parameter bus: its address; nothing: the user's own.
  init(card index: Int?, bus: String? = nil) {
    shallStop = Flag()
    guard let index else {
      (reservation, keeper, thread) = (nil, nil, nil)
      return
    }
    switch CardReservation.ask(card: index, address: bus) {
    case .noBus: (reservation, keeper, thread) = (nil, nil, nil)
    case .refused(let name): (reservation, keeper, thread) = (nil, name ?? "another program", nil)
    case .reserved(let got):
      (reservation, keeper) = (got, nil)
      // Others may ask, and are answered; a bus that goes away takes nothing with it.
      thread = RealtimeThread(name: "reservation") { [shallStop] in
        while !shallStop.isSet.load(ordering: .relaxed), got.serve() {}
      }
    }
  }

  /// Whether another program has just given the card up, so that it may still be closing it.
  var wasGivenUp: Bool { reservation?.wasGivenUp ?? false }

  /// Gives the card back.
  func release() {
    shallStop.isSet.store(true, ordering: .relaxed)
    thread?.join()
    reservation?.giveBack()
  }
}
