public import Units

/// Which take is to be recorded, and what it is called: the same on all hosts.
public struct TakePlan: Hashable, Sendable, Codable {
  /// The longest name, in characters; also of project and tape.
  public static let longestName = 64

  public let id: TakeID
  /// What people call it: the scene, as a rule.
  public let name: String
  /// Counts takes of a session, from 1. A label: it may double where a fleet was split.
  public let number: Int
  /// What the recording is for.
  public var project: String?
  /// The roll, tape or card, as sound reports have it.
  public var tape: String?
  /// How the session counts timecode, as `TimecodeSetting` writes it; nothing: 25, time of day.
  public var timecode: String?
  /// How many files all hosts together write of one segment; nothing where nobody has counted.
  public var fileCount: Int?
  /// When somebody said start: what lies before is pre-roll. Nothing before that was said.
  public var told: SharedInstant?

  /// Makes a plan; a longer name is cut.
  public init(
    id: TakeID, name: String, number: Int, project: String? = nil, tape: String? = nil,
    timecode: String? = nil
  ) {
    self.id = id
    self.name = String(name.prefix(Self.longestName))
    self.number = number
    self.project = project.map { String($0.prefix(Self.longestName)) }
    self.tape = tape.map { String($0.prefix(Self.longestName)) }
    self.timecode = timecode
  }

  /// The same take under another scene, project and tape.
  public func renamed(_ name: String, project: String?, tape: String?) -> TakePlan {
    var plan = TakePlan(
      id: id, name: name, number: number, project: project, tape: tape, timecode: timecode)
    plan.fileCount = fileCount
    plan.told = told
    return plan
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, number, project, tape, timecode
    case fileCount = "files_a_segment"
    case told = "told_shared_ns"
  }
}
