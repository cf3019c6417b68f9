internal import ALSA

/// Under which name a card that is gone may come back.
struct CardAgain: Sendable {
  private let name: String
  /// Whether it is a card of the system's, and not a name that only ALSA knows.
  private let isCard: Bool

  /// The card that the user calls `name`, and that ALSA called `pcm` when it was opened.
  init(name: String, pcm: String) {
    isCard = SoundCards.index(of: pcm) != nil
    // By its number another card may be called meanwhile; by its id hardly.
    let isNumber = Int(name).map { String($0) == name } ?? false
    self.name = isCard && isNumber ? pcm : name
  }

  /// How ALSA calls it now; nothing while it is not there.
  func pcm() -> String? {
    do throws(ALSAError) {
      let found = try CardChoice.pcm(named: name)
      return !isCard || SoundCards.index(of: found) != nil ? found : nil
    } catch {
      return nil
    }
  }
}
