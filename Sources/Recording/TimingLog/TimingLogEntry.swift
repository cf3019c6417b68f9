/// One line of a timing log: the evidence, beside a sound file, of when its frames were taken.
///
/// A log is JSON lines, keys sorted, one entry a line, the header first. It may be cut anywhere;
/// a line that is no whole entry is passed over, and counted. `docs/files.md` has every field.
public enum TimingLogEntry: Hashable, Sendable {
  /// What the file is, and where it lies in shared time. The first line.
  case header(TimingLogHeader)
  /// Where a frame lies in host time and in shared time. Once a second, and for the first and
  /// the last frame.
  case clock(TimingLogClock)
  /// A probe and its reply.
  case exchange(TimingLogExchange)
  /// Frames that were lost and are silence in the file.
  case gap(TimingLogGap)
  /// The card's stream stopped and began anew without a loss.
  case stop(TimingLogStop)
  /// A named frame.
  case marker(TimingLogMarker)
  /// Whose clock is shared time measured against from here on.
  case coordinator(TimingLogCoordinator)
  /// Shared time may have stepped here.
  case generation(TimingLogGeneration)
  /// How this session's time leads to another's.
  case sessionLink(TimingLogSessionLink)
  /// The recording goes on in another file.
  case segment(TimingLogSegment)
  /// The disk kept the writer waiting.
  case stall(TimingLogStall)
  /// The host's wall clock was set.
  case wallStep(TimingLogWallStep)
  /// Something that people were to know of the host.
  case alert(TimingLogAlert)
  /// How the file ended. The last line, missing where the recording was interrupted.
  case summary(TimingLogSummary)
  /// An entry of a type that this version does not know, which readers pass over.
  case other(type: String)

  /// The version that ``TimingLogHeader/version`` holds.
  public static let version = 1
}

extension TimingLogEntry: Codable {
  private enum Keys: String, CodingKey { case type }

  private var type: String {
    switch self {
    case .header: "header"
    case .clock: "clock"
    case .exchange: "exchange"
    case .gap: "gap"
    case .stop: "xrun"
    case .marker: "marker"
    case .coordinator: "coordinator"
    case .generation: "generation"
    case .sessionLink: "session_link"
    case .segment: "segment"
    case .stall: "stall"
    case .wallStep: "wall_step"
    case .alert: "alert"
    case .summary: "summary"
    case .other(let type): type
    }
  }

  public init(from decoder: any Decoder) throws {
    let type = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type)
    switch type {
    case "header": self = .header(try TimingLogHeader(from: decoder))
    case "clock": self = .clock(try TimingLogClock(from: decoder))
    case "exchange": self = .exchange(try TimingLogExchange(from: decoder))
    case "gap": self = .gap(try TimingLogGap(from: decoder))
    case "xrun": self = .stop(try TimingLogStop(from: decoder))
    case "marker": self = .marker(try TimingLogMarker(from: decoder))
    case "coordinator": self = .coordinator(try TimingLogCoordinator(from: decoder))
    case "generation": self = .generation(try TimingLogGeneration(from: decoder))
    case "session_link": self = .sessionLink(try TimingLogSessionLink(from: decoder))
    case "segment": self = .segment(try TimingLogSegment(from: decoder))
    case "stall": self = .stall(try TimingLogStall(from: decoder))
    case "wall_step": self = .wallStep(try TimingLogWallStep(from: decoder))
    case "alert": self = .alert(try TimingLogAlert(from: decoder))
    case "summary": self = .summary(try TimingLogSummary(from: decoder))
    default: self = .other(type: type)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(type, forKey: .type)
    switch self {
    case .header(let entry): try entry.encode(to: encoder)
    case .clock(let entry): try entry.encode(to: encoder)
    case .exchange(let entry): try entry.encode(to: encoder)
    case .gap(let entry): try entry.encode(to: encoder)
    case .stop(let entry): try entry.encode(to: encoder)
    case .marker(let entry): try entry.encode(to: encoder)
    case .coordinator(let entry): try entry.encode(to: encoder)
    case .generation(let entry): try entry.encode(to: encoder)
    case .sessionLink(let entry): try entry.encode(to: encoder)
    case .segment(let entry): try entry.encode(to: encoder)
    case .stall(let entry): try entry.encode(to: encoder)
    case .wallStep(let entry): try entry.encode(to: encoder)
    case .alert(let entry): try entry.encode(to: encoder)
    case .summary(let entry): try entry.encode(to: encoder)
    case .other: break
    }
  }
}
