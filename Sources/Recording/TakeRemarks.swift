/// What people say of a take, while it rolls or afterwards.
public struct TakeRemarks: Hashable, Sendable, Codable {
  /// The longest note, in characters.
  public static let longestNote = 512

  /// Free text, in any script.
  public var note: String?
  /// Whether the take is one of the good ones.
  public var isCircled: Bool?

  /// Makes remarks; nothing stands for what is not said. A longer note is cut.
  public init(note: String? = nil, isCircled: Bool? = nil) {
    self.note = note.map { String($0.prefix(Self.longestNote)) }
    self.isCircled = isCircled
  }

  /// These, and over them what `later` ones say.
  public func merged(with later: TakeRemarks) -> TakeRemarks {
    TakeRemarks(note: later.note ?? note, isCircled: later.isCircled ?? isCircled)
  }

  private enum CodingKeys: String, CodingKey {
    case note
    case isCircled = "circled"
  }
}
