public import BroadcastWave
internal import Units

/// How takes are put into files.
public struct FileSettings: Hashable, Sendable {
  /// When a recording goes on in another file.
  public enum Split: Hashable, Sendable {
    /// After so long, counted in frames at the nominal rate.
    case length(Duration)
    /// Before a file reaches so many bytes, all chunks counted.
    case size(bytes: UInt64)
  }

  /// The shortest and longest segments, and the smallest and largest files.
  public static let splitLengths = Duration.seconds(1) ... .seconds(366 * 86_400)
  public static let splitSizes: ClosedRange<UInt64> = 1_000_000...1_000_000_000_000_000

  /// How samples are stored, whatever the card gives.
  public var encoding: SampleEncoding
  /// Whether each channel gets a file of its own.
  public var isMono: Bool
  /// Nothing: one file however long, RF64 past 4 GiB.
  public var split: Split?
  /// Whether headers have no filler chunk; such files stay below 4 GiB by being split.
  public var isPlain: Bool
  /// Whether loudness is measured (EBU R 128) for bext version 2.
  public var measuresLoudness: Bool

  /// Makes settings: 24 bits, all channels in one file, never split, unless more is said.
  public init(
    encoding: SampleEncoding = .integer(bits: 24), isMono: Bool = false, split: Split? = nil,
    isPlain: Bool = false, measuresLoudness: Bool = false
  ) {
    self.encoding = encoding
    self.isMono = isMono
    self.split = split
    self.isPlain = isPlain
    self.measuresLoudness = measuresLoudness
  }

  /// For a draft: one file for each track, however long.
  var forDraft: FileSettings { FileSettings(encoding: encoding, isMono: isMono, isPlain: isPlain) }

  /// Room that is left for cues and labels in a file whose size is limited, in bytes.
  static let trailerRoom = 262_144

  /// The most frames of a segment whose files are of `format` each, behind a header of
  /// `headerBytes`; nothing: no limit.
  func mostFrames(format: WaveFormat, headerBytes: UInt64) -> Int64? {
    var limits: [Int64] = []
    if case .length(let length) = split {
      limits.append(format.sampleRate.frames(in: length).value)
    }
    let plain = isPlain ? WaveHeader.plainLimit : nil
    var size = plain
    if case .size(let bytes) = split { size = min(bytes, plain ?? bytes) }
    if let size {
      let taken = headerBytes + UInt64(Self.trailerRoom)
      let room = size > taken ? size - taken : 0
      limits.append(Int64(room / UInt64(format.bytesPerFrame)))
    }
    return limits.min().map { max(1, $0) }
  }

  /// How large the cues and labels of a file may be, in bytes.
  var trailerLimit: Int {
    if case .size = split { return Self.trailerRoom }
    return isPlain ? Self.trailerRoom : WaveTrailer.usualLimit
  }
}
