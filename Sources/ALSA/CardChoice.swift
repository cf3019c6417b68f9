internal import CALSA

/// Finds the card that a name means.
public enum CardChoice {
  /// What `name` means among `cards`, as ALSA names it.
  ///
  /// First its index and its id count, then the USB port and the serial number, then the maker's
  /// name and what is part of it. A name that no card has goes to ALSA as it stands.
  ///
  /// - Parameter isDefined: whether ALSA's configuration knows the name by itself.
  /// - Throws: `ambiguous` where more than one card is meant; `unsupported` where the card only
  ///   plays.
  public static func pcm(
    named name: String, among cards: [SoundCard], isDefined: (String) -> Bool = { _ in false }
  ) throws(ALSAError) -> String {
    if name.contains(":") && !cards.contains(where: { $0.serial == name }) { return name }
    let tiers: [(SoundCard) -> Bool] = [
      { String($0.index) == name || $0.id == name },
      { $0.usbPath == name || $0.serial == name },
      { $0.id.lowercased() == name.lowercased() || $0.name.lowercased() == name.lowercased() },
      { name.count >= 2 && $0.name.lowercased().contains(name.lowercased()) },
    ]
    for (place, means) in tiers.enumerated() {
      // A name of ALSA's own goes before what is only like a card's.
      if place == 2, isDefined(name) { return name }
      let found = cards.filter(means)
      if found.count > 1 { throw refused(.ambiguous(cards: found.map(\.description)), name) }
      if let card = found.first {
        guard let device = card.devices.first else {
          throw refused(.unsupported(has: "only plays: nothing can be recorded from it"), name)
        }
        return card.pcm(device)
      }
    }
    return name
  }

  /// What `name` means on this machine now.
  public static func pcm(named name: String) throws(ALSAError) -> String {
    try pcm(named: name, among: SoundCards.all(), isDefined: isDefined)
  }

  private static func refused(_ reason: ALSAError.Reason, _ name: String) -> ALSAError {
    ALSAError(reason: reason, function: "choosing a card", subject: name)
  }

  private static func isDefined(_ name: String) -> Bool {
    var top: OpaquePointer?
    var found: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return false }
    defer { snd_config_unref(top) }
    return snd_config_search(top, "pcm.\(name)", &found) >= 0
  }
}
