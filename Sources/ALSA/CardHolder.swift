internal import CALSA

/// Who has a card open.
enum CardHolder {
  /// The program that has the capture device of `pcm` open, such as `arecord (process 1234)`;
  /// nothing where that cannot be told, as for devices that are no `hw:`.
  static func of(pcm: String) -> String? {
    guard let card = cardIndex(of: pcm) else { return nil }
    let system = SystemText()
    let folder = "/proc/asound/card\(card)"
    for name in system.names(in: folder) where name.hasPrefix("pcm") && name.hasSuffix("c") {
      if let found = holding("\(folder)/\(name)", system) { return found.program }
    }
    return nil
  }

  /// The part of the device in `folder` that is open, and by which program.
  static func holding(
    _ folder: String, _ system: SystemText
  ) -> (part: String, program: String)? {
    for name in system.names(in: folder) where name.hasPrefix("sub") {
      let part = "\(folder)/\(name)"
      guard let owner = system.value("owner_pid", in: part + "/status").flatMap({ Int($0) }) else {
        continue
      }
      return (part, program(owner, system))
    }
    return nil
  }

  /// The index of the card that `pcm` names, such as `hw:CARD=USB,DEV=0` or `hw:1`.
  static func cardIndex(of pcm: String) -> Int? {
    guard let colon = pcm.firstIndex(of: ":") else { return nil }
    let rest = pcm[pcm.index(after: colon)...]
    let card = rest.split(separator: ",").first.map(String.init) ?? ""
    let plain = card.hasPrefix("CARD=") ? String(card.dropFirst(5)) : card
    let index = snd_card_get_index(plain)
    return index >= 0 ? Int(index) : nil
  }

  private static func program(_ process: Int, _ system: SystemText) -> String {
    let name = system.line("/proc/\(process)/comm")
    return name.map { "\($0) (process \(process))" } ?? "process \(process)"
  }
}
