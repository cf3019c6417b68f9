/// All that a page about an alignment shows.
public struct PageModel: Sendable {
  public let title: String
  /// What stands below the title, such as the folder and the mode.
  public let subtitle: String
  /// The verdict over all, in a sentence.
  public let summary: String
  /// The timeline's span, in seconds after its start.
  public let span: ClosedRange<Double>
  /// The timecode of the timeline's start, as a label.
  public let startLabel: String
  public let files: [PageFile]
  /// How well the pairs of files close, if sound was compared.
  public let closure: [PageClosure]
  /// The program and its version.
  public let software: String

  /// Makes a model.
  public init(
    title: String, subtitle: String, summary: String, span: ClosedRange<Double>, startLabel: String,
    files: [PageFile], closure: [PageClosure] = [], software: String
  ) {
    self.title = title
    self.subtitle = subtitle
    self.summary = summary
    self.span = span
    self.startLabel = startLabel
    self.files = files
    self.closure = closure
    self.software = software
  }
}

/// One round of pairs, and what is left over when it is walked: 0 where all agree.
public struct PageClosure: Sendable {
  /// The files of the round, such as `a → b → c → a`.
  public let round: String
  public let microseconds: Double

  /// Makes a row.
  public init(round: String, microseconds: Double) {
    self.round = round
    self.microseconds = microseconds
  }
}
