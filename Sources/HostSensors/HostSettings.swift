internal import CLinux
internal import Glibc

/// How a host is set up, as far as that concerns what runs on time. What is unknown is nothing.
public struct HostSettings: Sendable {
  /// A limit of this process.
  public enum Limit: Hashable, Sendable {
    /// The highest real-time priority that it may take.
    case realtimePriority
    /// How much memory it may lock, in bytes.
    case lockedMemory
  }

  private let files: SystemFiles

  /// Makes settings that are looked for below `root`.
  public init(root: String = "/") { files = SystemFiles(root: root) }

  /// How each processor chooses its frequency, such as `performance`, each word once, sorted.
  public func governors() -> [String] {
    let folder = "/sys/devices/system/cpu"
    let words = files.names(in: folder).filter { $0.hasPrefix("cpu") }
      .compactMap { files.text("\(folder)/\($0)/cpufreq/scaling_governor") }
    return Set(words).sorted()
  }

  /// Network interfaces without wires.
  public func wirelessInterfaces() -> [String] {
    let folder = "/sys/class/net"
    return files.names(in: folder).filter { name in
      !files.names(in: "\(folder)/\(name)/wireless").isEmpty
        || files.names(in: "\(folder)/\(name)").contains("phy80211")
    }
  }

  /// Whether a wireless interface saves power between packets; nothing where its driver does not
  /// say.
  public func savesPower(_ interface: String) -> Bool? {
    let status = linux_wireless_power_save(interface)
    return status < 0 ? nil : status == 1
  }

  /// The capture devices of sound cards, and whether this user may open each.
  public func captureDevices() -> [(path: String, isAllowed: Bool)] {
    files.names(in: "/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("c") }.map { name in
      let path = files.root + "/dev/snd/" + name
      return (path, access(path, R_OK | W_OK) == 0)
    }
  }

  /// What this process may have; nothing where there is no limit.
  public func limit(_ limit: Limit) -> UInt64? {
    var found = rlimit()
    let kind = limit == .realtimePriority ? __RLIMIT_RTPRIO : __RLIMIT_MEMLOCK
    guard getrlimit(__rlimit_resource_t(kind.rawValue), &found) == 0, found.rlim_max != rlim_t.max
    else { return nil }
    return UInt64(found.rlim_max)
  }

  /// Whether the process may do everything.
  public var isRoot: Bool { geteuid() == 0 }
}
