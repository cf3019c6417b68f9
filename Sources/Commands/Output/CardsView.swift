internal import ALSA

/// Sound cards, for people.
struct CardsView {
  let report: CardsReport

  var lines: [String] {
    report.cards.isEmpty ? ["no sound card"] : report.cards.flatMap(lines)
  }

  private func lines(_ card: CardsReport.Card) -> [String] {
    let index = card.index.map { "\($0)  " } ?? ""
    var ways: [String] = []
    if let path = card.usbPath { ways.append("USB port \(path)") }
    if let serial = card.serial { ways.append("serial \(serial)") }
    let rest = ways.isEmpty ? "" : "  (\(ways.joined(separator: ", ")))"
    let head = PlainText.of("\(index)\(card.id)  \(card.name)\(rest)")
    if card.devices.isEmpty { return [head, "     only plays"] }
    return [head] + card.devices.flatMap(lines)
  }

  private func lines(_ device: CardsReport.Device) -> [String] {
    var lines = ["     " + PlainText.of([device.pcm, device.name].joined(separator: "  "))]
    if let holder = device.heldBy {
      let running = device.running.map { " at \($0)" } ?? ""
      lines.append("       in use by \(PlainText.of(holder))\(running)")
    }
    if let problem = device.problem { lines.append("       " + PlainText.of(problem)) }
    if let formats = device.formats, let rates = device.ratesHz, let channels = device.channels {
      lines.append(
        "       formats  \(formats.isEmpty ? "none that can be recorded" : formats.joined(separator: ", "))"
      )
      lines.append("       rates    \(rates.map(String.init).joined(separator: ", ")) Hz")
      lines.append("       channels \(Self.text(channels))")
    }
    return lines
  }

  /// Such as `2`, `1 to 8` or `2, 4, 10`.
  static func text(_ channels: [Int]) -> String {
    guard let first = channels.first, let last = channels.last else { return "none" }
    if channels.count > 2, last - first + 1 == channels.count { return "\(first) to \(last)" }
    return channels.map(String.init).joined(separator: ", ")
  }
}
