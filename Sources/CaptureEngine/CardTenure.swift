internal import ALSA
internal import Synchronization

/// The right to a card for as long as it is recorded from, also where it goes and comes back under
/// another index: then the right to the new one is asked for, and the old one given back.
final class CardTenure: Sendable {
  private struct Held {
    var card: Int?
    var claim: CardClaim
  }

  private let held: Mutex<Held>
  private let bus: String?
  private let index: @Sendable (_ pcm: String) -> Int?

  /// Asks for the card that ALSA calls `pcm`.
  ///
  /// - Parameters:
  ///   - bus: where cards are asked for; nothing: the user's own.
  ///   - index: which card a device's name means.
  init(
    pcm: String, bus: String? = nil,
    index: @escaping @Sendable (_ pcm: String) -> Int? = { SoundCards.index(of: $0) }
  ) {
    self.bus = bus
    self.index = index
    let card = index(pcm)
    held = Mutex(Held(card: card, claim: CardClaim(card: card, bus: bus)))
  }

  /// The program that was asked for the card and keeps it.
  var keeper: String? { held.withLock { $0.claim.keeper } }

  /// Whether another program has just given the card up, so that it may still be closing it.
  var wasGivenUp: Bool { held.withLock { $0.claim.wasGivenUp } }

  /// The card is called `pcm` now: asks for it, where that is another one than before, or one that
  /// was kept. May take some seconds where another program has to be asked.
  func move(to pcm: String) {
    let card = index(pcm)
    let before = held.withLock { $0 }
    guard card != before.card || before.claim.keeper != nil else { return }
    before.claim.release()
    let claim = CardClaim(card: card, bus: bus)
    held.withLock { $0 = Held(card: card, claim: claim) }
  }

  /// Gives the card back.
  func release() { held.withLock { $0.claim }.release() }
}
