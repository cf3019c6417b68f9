/// Which hosts must take part in a command, else nobody does.
public enum HostRequirement: Hashable, Sendable, Codable {
  /// Every host that the asked one knows of, those included that it does not hear any more.
  case all
  /// So many with a card.
  case count(Int)
  /// These, by label or by the beginning of their id.
  case named([String])

  /// Reads `all`, a number, or names with commas; nothing where it is none of these.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if let count = Int(text) {
      guard (1...ControlRequest.mostHosts).contains(count) else { return nil }
      self = .count(count)
    } else {
      // Whoever writes a list puts blanks behind its commas.
      let names = text.split(separator: ",").map { name in String(name.drop { $0 == " " }) }
      guard !names.isEmpty, names.count <= ControlRequest.mostHosts else { return nil }
      self = .named(names)
    }
  }
}
