/// What to align, by what, and what to make of it.
public struct AlignmentOptions: Hashable, Sendable {
  /// By what files are placed.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// By their timing logs; those without one by timecode.
    case clock
    /// By the timecode in bext or iXML, to a frame.
    case timecode
    /// By what they have in common to hear.
    case sound
  }

  /// A take's folder, or a folder with one take under it, or sound files.
  public var inputs: [String]
  /// The folder to write to; `aligned` beside the first raw file when nil.
  public var output: String?
  /// The input whose crystal is the measure of the timeline; shared time, or the first input, when
  /// nil.
  public var reference: String?
  /// Whether outputs may replace files of the same names.
  public var replacesExisting = false
  public var method = Method.clock
  /// Whether sound is asked what it says of the clock's places.
  public var checksBySound = false
  /// Whether only the report is made.
  public var onlyReports = false
  /// Whether all are rendered as the channels of one file.
  public var isPoly = false
  public var format = RenderFormat.integers24
  /// Editors that sessions are written for, of ``editors``.
  public var exports: [String] = []
  /// Where the page goes; beside what is rendered when nil.
  public var page: String?

  /// Makes options for `inputs`, everything else as usual.
  public init(inputs: [String]) { self.inputs = inputs }
}
