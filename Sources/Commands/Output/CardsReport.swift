internal import ALSA
internal import Units

/// Sound cards, as `recorder cards --json` gives them.
struct CardsReport: Encodable {
  struct Device: Encodable {
    /// Nothing for a name of ALSA's own.
    var device: Int?
    var name: String
    /// What ALSA calls it.
    var pcm: String
    /// Nothing while another program has the device.
    var formats: [String]?
    var ratesHz: [Int]?
    var channels: [Int]?
    var heldBy: String?
    /// What it runs at for that program.
    var running: String?
    /// Why nothing is known of it.
    var problem: String?

    enum CodingKeys: String, CodingKey {
      case device, name, pcm, formats, channels, running, problem
      case ratesHz = "rates_hz"
      case heldBy = "held_by"
    }
  }

  struct Card: Encodable {
    var index: Int?
    var id: String
    var name: String
    var usbPath: String?
    var serial: String?
    var devices: [Device]

    enum CodingKeys: String, CodingKey {
      case index, id, name, serial, devices
      case usbPath = "usb_path"
    }
  }

  let schema = "recorder.cards/1"
  var cards: [Card] = []
}

extension CardsReport.Card {
  /// A card, with what its devices say when they are asked now.
  init(_ card: SoundCard) {
    self.init(
      index: card.index, id: card.id, name: card.name, usbPath: card.usbPath, serial: card.serial,
      devices: card.devices.map { CardsReport.Device($0, pcm: card.pcm($0)) })
  }

  /// What ALSA knows by a name that is no card's.
  init(pcm: String) throws(ALSAError) {
    let abilities = try CardAbilities(of: pcm)
    self.init(
      index: nil, id: pcm, name: "a name of ALSA's", usbPath: nil, serial: nil,
      devices: [CardsReport.Device(name: "", pcm: pcm).filled(abilities)])
  }
}

extension CardsReport.Device {
  init(_ device: SoundCard.Device, pcm: String) {
    self.init(
      device: device.number, name: device.name, pcm: pcm, heldBy: device.holder,
      running: device.running)
    guard device.holder == nil else { return }
    do throws(ALSAError) {
      self = filled(try CardAbilities(of: pcm))
    } catch {
      problem = error.description
    }
  }

  func filled(_ abilities: CardAbilities) -> CardsReport.Device {
    var device = self
    device.formats = abilities.formats.map(\.name)
    device.ratesHz = abilities.rates.map(\.hertz)
    device.channels = abilities.channels
    return device
  }

  init(name: String, pcm: String) {
    self.init(device: nil, name: name, pcm: pcm, heldBy: nil, running: nil)
  }
}
