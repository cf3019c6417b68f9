/// A sound card that the system has, with what it can be called by.
public struct SoundCard: Hashable, Sendable {
  /// One of a card's devices that sound can be captured from.
  public struct Device: Hashable, Sendable {
    public let number: Int
    public let name: String
    /// The program that has it open, such as `arecord (process 1234)`.
    public let holder: String?
    /// What it runs at for that program, such as `S16_LE, 2 channels, 48000 Hz`.
    public let running: String?

    /// Makes a device of its parts.
    public init(number: Int, name: String, holder: String?, running: String?) {
      self.number = number
      self.name = name
      self.holder = holder
      self.running = running
    }
  }

  /// Its number, which may be another after the next start of the machine.
  public let index: Int
  /// Its id, such as `USB`, which mostly stays the same.
  public let id: String
  /// What its maker calls it.
  public let name: String
  /// The port that it is plugged into, such as `1-1.2`; nothing where it is no USB card.
  public let usbPath: String?
  /// The serial number that a USB card tells.
  public let serial: String?
  /// Where sound can be captured from; none on a card that only plays.
  public let devices: [Device]

  /// Makes a card of its parts.
  public init(
    index: Int, id: String, name: String, usbPath: String?, serial: String?, devices: [Device]
  ) {
    self.index = index
    self.id = id
    self.name = name
    self.usbPath = usbPath
    self.serial = serial
    self.devices = devices
  }

  /// ALSA's name for one of its devices.
  public func pcm(_ device: Device) -> String { "hw:CARD=\(id),DEV=\(device.number)" }
}

extension SoundCard: CustomStringConvertible {
  /// All that it can be called by, such as `1 USB "Zoom H5" (USB port 1-1.2, serial 000123)`.
  public var description: String {
    let details = [usbPath.map { "USB port \($0)" }, serial.map { "serial \($0)" }]
      .compactMap(\.self)
    let rest = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(index) \(id) \"\(name)\"\(rest)"
  }
}

/// All sound cards that the system has.
public enum SoundCards {
  /// The most cards that are looked at.
  static let most = 64

  /// The cards by their indices, as /proc and /sys below `root` tell.
  public static func all(root: String = "/") -> [SoundCard] {
    let system = SystemText(root: root)
    let indices = system.names(in: "/proc/asound").compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return indices.sorted().prefix(most).compactMap { card($0, system) }
  }

  /// The index of the card that ALSA's name means, such as `hw:CARD=USB,DEV=0`; nothing where it is
  /// no card's.
  public static func index(of pcm: String) -> Int? { CardHolder.cardIndex(of: pcm) }

  private static func card(_ index: Int, _ system: SystemText) -> SoundCard? {
    let folder = "/proc/asound/card\(index)"
    guard let id = system.line(folder + "/id") else { return nil }
    let node = "/sys/class/sound/card\(index)/device"
    // The link leads to one of a USB device's interfaces, such as 1-1.2:1.0.
    let port = system.linkTarget(node)?.split(separator: ":").first.map(String.init)
    let isUSB = system.read(folder + "/usbid") != nil
    return SoundCard(
      index: index, id: id, name: name(index, system) ?? id, usbPath: isUSB ? port : nil,
      serial: isUSB ? system.line(node + "/../serial") : nil, devices: devices(folder, system))
  }

  /// From a line such as ` 1 [USB            ]: USB-Audio - Zoom H5`.
  private static func name(_ index: Int, _ system: SystemText) -> String? {
    for line in system.read("/proc/asound/cards")?.split(separator: "\n") ?? [] {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.first.flatMap({ Int($0) }) == index, let colon = line.firstIndex(of: "]") else {
        continue
      }
      let rest = line[line.index(after: colon)...].split(separator: "-", maxSplits: 1)
      // The driver's own name may hold dashes, a blank stands on both sides of the one in between.
      let text = line[line.index(after: colon)...]
      if let middle = text.firstRange(of: " - ") {
        return String(text[middle.upperBound...]).trimmed
      }
      return rest.last.map { String($0).trimmed }
    }
    return nil
  }

  private static func devices(_ folder: String, _ system: SystemText) -> [SoundCard.Device] {
    let numbers = system.names(in: folder).compactMap { name in
      name.hasPrefix("pcm") && name.hasSuffix("c") ? Int(name.dropFirst(3).dropLast()) : nil
    }
    return numbers.sorted().map { number in
      let place = "\(folder)/pcm\(number)c"
      let holding = CardHolder.holding(place, system)
      return SoundCard.Device(
        number: number, name: system.value("name", in: place + "/info") ?? "",
        holder: holding?.program, running: holding.flatMap { running($0.part, system) })
    }
  }

  private static func running(_ part: String, _ system: SystemText) -> String? {
    let path = part + "/hw_params"
    guard let format = system.value("format", in: path),
      let channels = system.value("channels", in: path),
      let rate = system.value("rate", in: path)?.split(separator: " ").first
    else { return nil }
    return "\(format), \(channels) channels, \(rate) Hz"
  }
}

extension String {
  /// Without blanks at either end.
  fileprivate var trimmed: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
