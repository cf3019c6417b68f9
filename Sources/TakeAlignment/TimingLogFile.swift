internal import Alignment
internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// A timing log that was read, as far as it goes.
struct TimingLogFile: Sendable {
  let header: TimingLogHeader
  private(set) var clocks: [TimingLogClock] = []
  private(set) var gaps: [TimingLogGap] = []
  private(set) var summary: TimingLogSummary?
  /// The exchanges with each coordinator, by its id.
  private(set) var exchanges: [String: [ExchangePoint]] = [:]
  /// What of it could not be read.
  private(set) var damage = TimingLogDamage()

  /// A day at eight exchanges a second takes 170 MB.
  static let sizeLimit: UInt64 = 1 << 30
  /// How an exchange's line ends, as the recorder writes it, keys sorted.
  private static let exchange = Array("\"type\":\"exchange\"".utf8)

  /// Where the log of the sound file at `path` is.
  static func path(ofSound path: String) -> String {
    let log = FilePath.soundStem(path) + ".timing.jsonl"
    return path.hasSuffix(".part") && !TakeFolder.exists(log) ? log + ".part" : log
  }

  /// Reads the log at `path`. A line that is no whole entry is passed over and counted.
  init(path: String) throws(AlignmentError) {
    var lines = try Self.lines(of: path)[...]
    header = try Self.header(of: lines.popFirst(), path: path)
    let last = lines.indices.last
    let decoder = JSONDecoder()
    var coordinator: (bytes: ArraySlice<UInt8>, id: String) = ([], "")
    var points: [ExchangePoint] = []
    for (place, line) in zip(lines.indices, lines) where !line.isEmpty {
      if Self.isExchange(line), let exchange = ExchangeLine(line) {
        if !exchange.coordinator.elementsEqual(coordinator.bytes) {
          exchanges[coordinator.id, default: []] += points
          points = []
          let id = String(decoding: exchange.coordinator, as: UTF8.self)
          coordinator = (exchange.coordinator, id)
        }
        points.append(exchange.point)
        continue
      }
      do { take(try decoder.decode(TimingLogEntry.self, from: Data(line))) } catch {
        damage.add(place + 1, isTorn: place == last)
      }
    }
    exchanges[coordinator.id, default: []] += points
    exchanges[""] = nil
  }

  /// Hands every whole entry of the log at `path` to `take`.
  ///
  /// - Returns: what could not be read.
  static func entries(
    of path: String, _ take: (TimingLogEntry) -> Void
  ) throws(AlignmentError) -> TimingLogDamage {
    let lines = try lines(of: path)
    var damage = TimingLogDamage()
    let decoder = JSONDecoder()
    for (place, line) in lines.enumerated() where !line.isEmpty {
      do { take(try decoder.decode(TimingLogEntry.self, from: Data(line))) } catch {
        damage.add(place + 1, isTorn: place == lines.count - 1)
      }
    }
    return damage
  }

  /// The log's lines; the last is what stands behind the last line's end: nothing, as a rule.
  private static func lines(of path: String) throws(AlignmentError) -> [ArraySlice<UInt8>] {
    let file = try InputFile(path: path)
    guard file.length <= sizeLimit else {
      throw .unreadableLog(log: path, reason: "it is larger than a gigabyte")
    }
    let bytes: [UInt8]
    do { bytes = try file.read(at: 0, count: Int(file.length)) } catch {
      throw .unreadableLog(log: path, reason: error.description)
    }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private mutating func take(_ entry: TimingLogEntry) {
    switch entry {
    case .clock(let clock): clocks.append(clock)
    case .gap(let gap): gaps.append(gap)
    case .summary(let summary): self.summary = summary
    default: break
    }
  }

  private static func header(
    of line: ArraySlice<UInt8>?, path: String
  ) throws(AlignmentError) -> TimingLogHeader {
    guard let line, !line.isEmpty else { throw .unreadableLog(log: path, reason: "it is empty") }
    let entry: TimingLogEntry
    do { entry = try JSONDecoder().decode(TimingLogEntry.self, from: Data(line)) } catch {
      throw .unreadableLog(log: path, reason: "its first line is no whole entry")
    }
    guard case .header(let header) = entry else {
      throw .unreadableLog(log: path, reason: "its first line is no header")
    }
    guard header.version == TimingLogEntry.version else {
      throw .unreadableLog(
        log: path, reason: "it is of version \(header.version), which this recorder is too old for")
    }
    return header
  }

  private static func isExchange(_ line: ArraySlice<UInt8>) -> Bool {
    line.count > exchange.count
      && line.suffix(exchange.count + 1).dropLast().elementsEqual(exchange)
  }
}

extension TimingLogFile {
  /// What the log observed, for the fit, in order of frame. Where shared time may have stepped,
  /// the generation of the clock map that saw the most counts alone: a line through a step is
  /// right on neither side.
  var observations: [TimingObservation] {
    chosenClocks.map {
      TimingObservation(
        frame: $0.frame, shared: $0.shared,
        jitterBoundNanoseconds: $0.jitterBoundNanoseconds + $0.cardBoundNanoseconds,
        pathLimitNanoseconds: $0.pathLimitNanoseconds)
    }
  }

  /// The entries of the generation that counts, in order of frame.
  var chosenClocks: [TimingLogClock] {
    let counts = clocks.reduce(into: [:]) { $0[$1.generation, default: 0] += 1 }
    let chosen = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    return clocks.filter { $0.generation == chosen }.sorted { $0.frame < $1.frame }
  }

  /// The card's rate in shared time by the recorder's own last account.
  var loggedRate: ClockRate {
    guard let last = clocks.last else { return .zero }
    return ClockRate(fraction: (1 + last.cardPPM * 1e-6) / (1 + last.skewPPM * 1e-6) - 1)
  }
}
