internal import FileIO
internal import Glibc

/// What stands behind a network interface, as far as `/sys/class/net` tells.
public struct LinkTraits: Hashable, Sendable {
  /// A card or a radio, be it a virtual machine's.
  public var isHardware: Bool
  /// A bridge; whether hardware is among its ports.
  public var isBridge: Bool
  public var hasHardwarePort: Bool
  /// A port of a bridge or a bond, whose packets are that one's.
  public var isPort: Bool
  /// One end of a cable between two namespaces, as containers have it.
  public var isVirtualCable: Bool

  /// Makes traits; by default of something that nothing is known of.
  public init(
    isHardware: Bool = false, isBridge: Bool = false, hasHardwarePort: Bool = false,
    isPort: Bool = false, isVirtualCable: Bool = false
  ) {
    self.isHardware = isHardware
    self.isBridge = isBridge
    self.hasHardwarePort = hasHardwarePort
    self.isPort = isPort
    self.isVirtualCable = isVirtualCable
  }

  /// Reads the traits of an interface. A host without that folder has interfaces without traits.
  public init(ofInterface name: String, root: String = "/sys/class/net") {
    let folder = "\(root)/\(name)"
    let exists = { (path: String) in access(path, F_OK) == 0 }
    isHardware = exists("\(folder)/device")
    isBridge = exists("\(folder)/bridge")
    isPort = exists("\(folder)/master")
    hasHardwarePort =
      isBridge && Self.entries(of: "\(folder)/brif").contains { exists("\(root)/\($0)/device") }
    // The other end of a cable is another interface, or one of another namespace; interfaces upon
    // others (VLANs and the like) have that too, but a type of their own.
    let own = Self.text(of: "\(folder)/ifindex")
    let other = Self.text(of: "\(folder)/iflink")
    let isTyped = Self.text(of: "\(folder)/uevent").contains("DEVTYPE=")
    isVirtualCable = !isHardware && !isBridge && !isTyped && other != "0" && own != other
  }

  private static func text(of path: String) -> String {
    // A file that is not there says nothing, like an empty one.
    guard let bytes = try? FileIO.contents(of: path, limit: 4096) else { return "" }
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The names in a folder, up to 256 of them.
  private static func entries(of path: String) -> [String] {
    (try? Folders.names(in: path, limit: 256)) ?? []
  }
}
