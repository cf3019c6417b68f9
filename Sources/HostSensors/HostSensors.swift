internal import Glibc

/// What a host can tell of itself: battery, disk and temperature. What is unknown is nothing,
/// never a number.
public struct HostSensors: Sendable {
  private let files: SystemFiles

  /// Makes sensors that look for /sys and /proc below `root`.
  public init(root: String = "/") { files = SystemFiles(root: root) }

  /// The host's batteries; nothing where it has none.
  public func battery() -> BatteryReading? {
    let folder = "/sys/class/power_supply"
    return BatteryReading(
      of: files.names(in: folder).compactMap { Battery(in: "\(folder)/\($0)", of: files) })
  }

  /// The hottest of the host's thermal zones that say something believable, in °C.
  public func temperatureCelsius() -> Double? {
    let folder = "/sys/class/thermal"
    return files.names(in: folder)
      .filter { $0.hasPrefix("thermal_zone") }
      .compactMap { files.number("\(folder)/\($0)/temp").map { $0 / 1000 } }
      .filter { $0 > -40 && $0 < 150 }
      .max()
  }

  /// The memory that programs may still take without others being pushed out, in bytes.
  public func availableMemoryBytes() -> Int64? {
    for line in files.lines("/proc/meminfo") where line.hasPrefix("MemAvailable:") {
      let words = line.split(separator: " ")
      return words.count >= 2 ? Int64(words[1]).map { $0 * 1024 } : nil
    }
    return nil
  }

  /// The room on the disk that `path` is on, or would be on: its nearest folder that exists.
  public func disk(holding path: String) -> DiskReading? {
    var folder = path.isEmpty ? "." : path
    while true {
      var found = statvfs()
      if statvfs(folder, &found) == 0 { return DiskReading(found) }
      guard errno == ENOENT || errno == ENOTDIR, let parent = Self.parent(of: folder) else {
        return nil
      }
      folder = parent
    }
  }

  private static func parent(of path: String) -> String? {
    if path == "/" || path == "." { return nil }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// The room on a disk.
public struct DiskReading: Hashable, Sendable {
  /// What this user may still write, in bytes.
  public let freeBytes: Int64
  /// What the disk holds when empty, in bytes.
  public let totalBytes: Int64

  init(_ found: statvfs) {
    let block = Int64(found.f_frsize)
    freeBytes = Int64(clamping: found.f_bavail) * block
    totalBytes = Int64(clamping: found.f_blocks) * block
  }
}
