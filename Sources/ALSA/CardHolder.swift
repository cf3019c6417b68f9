internal import CALSA
internal import Glibc

/// Who has a card open.
enum CardHolder {
  /// The program that has the capture device of `pcm` open, such as `arecord (1234)`; nothing
  /// where that cannot be told, as for devices that are no `hw:`.
  static func of(pcm: String) -> String? {
    guard let card = cardIndex(of: pcm) else { return nil }
    for device in 0..<8 {
      for part in 0..<8 {
        let path = "/proc/asound/card\(card)/pcm\(device)c/sub\(part)/status"
        guard let text = read(path) else { continue }
        if let owner = owner(in: text) { return name(of: owner) }
      }
    }
    return nil
  }

  private static func cardIndex(of pcm: String) -> Int32? {
    guard let colon = pcm.firstIndex(of: ":") else { return nil }
    let rest = pcm[pcm.index(after: colon)...]
    let card = rest.split(separator: ",").first.map(String.init) ?? ""
    let plain = card.hasPrefix("CARD=") ? String(card.dropFirst(5)) : card
    let index = snd_card_get_index(plain)
    return index >= 0 ? index : nil
  }

  /// The line `owner_pid   : 1234`.
  private static func owner(in text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix("owner_pid") {
      return line.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) }
    }
    return nil
  }

  private static func name(of process: Int) -> String {
    let name = read("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    return name.map { "\($0) (process \(process))" } ?? "process \(process)"
  }

  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
