internal import Glibc
internal import Units

/// How long a disk takes to take writes: a histogram, and the longest.
struct WriteTimes: Hashable, Encodable {
  /// The upper ends of the classes, in milliseconds; one more holds the rest.
  static let limitsMilliseconds: [Double] = [1, 3, 10, 30, 100, 300, 1000]
  static let block = 1 << 20
  static let blocks = 48
  /// How often what was written is brought to the disk, as a recording does it.
  static let syncedEvery = 8

  private(set) var counts = Array(repeating: 0, count: limitsMilliseconds.count + 1)
  private(set) var slowestMilliseconds = 0.0
  private(set) var bytesPerSecond = 0.0

  mutating func add(milliseconds: Double) {
    let place = Self.limitsMilliseconds.firstIndex { milliseconds < $0 }
    counts[place ?? Self.limitsMilliseconds.count] += 1
    slowestMilliseconds = max(slowestMilliseconds, milliseconds)
  }

  /// Measures the disk of `folder` with a file that nobody sees and that is gone at once.
  ///
  /// - Returns: nothing where the folder cannot be written.
  static func measure(in folder: String) -> WriteTimes? {
    let own = openUnseen(in: folder)
    guard own >= 0 else { return nil }
    defer { close(own) }
    var times = WriteTimes()
    // Not all alike, lest a disk that compresses makes it too easy.
    let bytes = (0..<block).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let start = ContinuousClock.now
    for number in 1...blocks {
      let before = ContinuousClock.now
      guard write(own, bytes, block) == block else { return nil }
      if number % syncedEvery == 0, fdatasync(own) != 0 { return nil }
      times.add(milliseconds: before.duration(to: .now).inSeconds * 1000)
    }
    times.bytesPerSecond = Double(block * blocks) / start.duration(to: .now).inSeconds
    return times
  }

  /// A file that has a name for a moment only.
  private static func openUnseen(in folder: String) -> Int32 {
    let path = "\(folder)/.recorder-doctor-\(getpid())"
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { unlink(path) }
    return file
  }

  /// The classes in words: `40 under 1 ms, 8 under 30 ms`.
  var words: String {
    var parts: [String] = []
    for (place, count) in counts.enumerated() where count > 0 {
      let isLast = place == Self.limitsMilliseconds.count
      let limit = Self.limitsMilliseconds[min(place, Self.limitsMilliseconds.count - 1)]
      parts.append("\(count) \(isLast ? "over" : "under") \(Decimals.text(limit, places: 0)) ms")
    }
    return parts.joined(separator: ", ")
  }

  private enum CodingKeys: String, CodingKey {
    case limits = "under_ms"
    case counts
    case slowestMilliseconds = "slowest_ms"
    case bytesPerSecond = "bytes_per_second"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.limitsMilliseconds, forKey: .limits)
    try container.encode(counts, forKey: .counts)
    try container.encode(slowestMilliseconds, forKey: .slowestMilliseconds)
    try container.encode(bytesPerSecond, forKey: .bytesPerSecond)
  }
}
