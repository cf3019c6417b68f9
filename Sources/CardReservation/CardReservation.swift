/// The right to a sound card, as desktops hand it around: `org.freedesktop.ReserveDevice1` on the
/// session bus.
///
/// PipeWire, PulseAudio and JACK own a name for each card that they use. Who wants the card asks the
/// owner to give it up, and takes the name; while it has that, the others leave the card alone. The
/// right lasts as long as the value lives; one thread at a time serves it.
public final class CardReservation: Sendable {
  /// What came of asking for a card.
  public enum Outcome: Sendable {
    /// There is no session bus: nobody to ask, as on most machines without a desktop.
    case noBus
    case reserved(CardReservation)
    /// Another program keeps the card; what it calls itself.
    case refused(by: String?)
  }

  static let interface = "org.freedesktop.ReserveDevice1"
  static let application = "recorder"
  /// Above PipeWire's (−20) and PulseAudio's (0), below JACK's (the greatest there is).
  static let priority: Int32 = 1000

  /// Safe to share: after the asking only the thread that serves touches it, and the end comes
  /// when nobody has the value any more.
  nonisolated(unsafe) private let bus: ReservationBus
  private let name: String
  /// Whether another program had the card and gave it up; it may take a moment to close it.
  public let wasGivenUp: Bool

  private init(bus: ReservationBus, name: String, wasGivenUp: Bool) {
    self.bus = bus
    self.name = name
    self.wasGivenUp = wasGivenUp
  }

  deinit { bus.release(name) }

  /// Asks for the card with ALSA's `index`, for up to some seconds.
  ///
  /// - Parameter address: the bus; nothing: the user's own.
  public static func ask(card index: Int, address: String? = nil) -> Outcome {
    guard let bus = ReservationBus(address: address) else { return .noBus }
    let name = "\(interface).Audio\(index)"
    let path = "/org/freedesktop/ReserveDevice1/Audio\(index)"
    guard bus.answer(at: path) else { return .noBus }
    if bus.take(name, replacing: false) {
      return .reserved(CardReservation(bus: bus, name: name, wasGivenUp: false))
    }
    guard bus.requestRelease(name, path: path, priority: priority),
      bus.take(name, replacing: true)
    else { return .refused(by: bus.applicationName(of: name, path: path)) }
    return .reserved(CardReservation(bus: bus, name: name, wasGivenUp: true))
  }

  /// Gives the card back before the value goes; nobody may serve it any more.
  public func giveBack() { bus.release(name) }

  /// Answers those that ask for the card, for about `milliseconds`; false where the bus is gone.
  public func serve(milliseconds: UInt64 = 200) -> Bool { bus.serve(milliseconds: milliseconds) }
}
