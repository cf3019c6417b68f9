internal import BroadcastWave
internal import Units

/// Everything about one sound file.
///
/// As JSON the keys carry their units; what is unknown is absent.
public struct FileReport: Encodable, Sendable {
  public let path: String
  public let lengthBytes: UInt64
  public let format: Format
  public let frames: UInt64
  public let durationSeconds: Double
  /// Where the file begins, by bext, else by iXML.
  public let start: Start?
  /// The civil date and time of the beginning, by bext.
  public let date: String?
  public let time: String?
  public let bext: BextReport?
  public let ixml: IXMLReport?
  public let cues: [Cue]
  public let family: Family?
  public let timingLog: LogReport?
  public let takeSummary: TakeSummaryReport?
  public let chunks: [Chunk]
  /// In what the file's parts contradict each other.
  public let disagreements: [Contradiction]
  /// What is not as it should be, in sentences.
  public let oddities: [String]

  /// Whether nothing is off.
  public var isInOrder: Bool { disagreements.isEmpty && oddities.isEmpty }

  private enum CodingKeys: String, CodingKey {
    case path
    case lengthBytes = "length_bytes"
    case format, frames
    case durationSeconds = "duration_s"
    case start
    case date = "civil_date"
    case time = "civil_time"
    case bext, ixml, cues, family
    case timingLog = "timing_log"
    case takeSummary = "take_json"
    case chunks, disagreements, oddities
  }
}

extension FileReport {
  public struct Format: Encodable, Sendable {
    /// `RIFF` or `RF64`.
    public let container: String
    /// `integer` or `float`.
    public let encoding: String
    public let bits: Int
    public let channels: Int
    public let sampleRateHertz: Int

    private enum CodingKeys: String, CodingKey {
      case container, encoding, bits, channels
      case sampleRateHertz = "sample_rate_hz"
    }
  }

  public struct Start: Encodable, Sendable {
    /// Samples since timecode 00:00:00:00.
    public let samples: UInt64
    /// The same in seconds of real time.
    public let seconds: Double
    /// The label of the frame in which the first sample lies.
    public let timecode: String?
    /// By how many samples the file begins behind that frame's beginning.
    public let samplesIntoFrame: UInt64?
    /// Such as `30000/1001 DF`; nothing where the file does not tell it.
    public let frameRate: String?
    /// `bext` or `iXML`.
    public let source: String

    private enum CodingKeys: String, CodingKey {
      case samples
      case seconds = "s"
      case timecode
      case samplesIntoFrame = "samples_into_frame"
      case frameRate = "frame_rate"
      case source
    }
  }

  public struct Cue: Encodable, Sendable {
    public let frame: UInt64
    public let seconds: Double
    public let text: String
    public let note: String?
    /// The length of a region.
    public let frames: UInt64?

    private enum CodingKeys: String, CodingKey {
      case frame
      case seconds = "s"
      case text, note, frames
    }
  }

  /// The files that belong together.
  public struct Family: Encodable, Sendable {
    public let uid: String
    public let name: String
    public let index: String?
    public let totalFiles: Int
    /// The names of the family's files in the same folder, this one's included.
    public let filesBeside: [String]

    private enum CodingKeys: String, CodingKey {
      case uid, name, index
      case totalFiles = "total_files"
      case filesBeside = "files_beside"
    }
  }

  public struct Chunk: Encodable, Sendable {
    public let name: String
    public let offset: UInt64
    public let bytes: UInt64

    private enum CodingKeys: String, CodingKey {
      case name
      case offset = "offset_bytes"
      case bytes
    }
  }

  public struct Contradiction: Encodable, Sendable {
    public let field: String
    /// What each part of the file says.
    public let claims: [String: String]
  }

  /// Makes it of what was found.
  init(
    path: String, length: UInt64, wave: WaveReader, ixml: IXMLReading?, beside: FilesBeside,
    oddities: [String]
  ) {
    let rate = Double(wave.format.sampleRate.hertz)
    self.path = path
    lengthBytes = length
    format = Format(wave)
    frames = wave.frames
    durationSeconds = Double(wave.frames) / rate
    start = Start(wave, ixml: ixml)
    date = wave.bext?.civilDate
    time = wave.bext?.civilTime
    bext = wave.bext.map { BextReport($0) }
    self.ixml = ixml.map { IXMLReport($0) }
    cues = wave.cues.map {
      Cue(
        frame: $0.frame, seconds: Double($0.frame) / rate, text: $0.text, note: $0.note,
        frames: $0.frames)
    }
    family = ixml?.fileSet.map {
      Family(
        uid: $0.familyUID, name: $0.familyName, index: $0.index, totalFiles: $0.totalFiles,
        filesBeside: beside.family)
    }
    timingLog = beside.log
    takeSummary = beside.summary
    chunks = wave.chunks.map { Chunk(name: $0.name, offset: $0.offset, bytes: $0.bytes) }
    disagreements = Disagreement.all(format: wave.format, bext: wave.bext, ixml: ixml).map {
      Contradiction(field: $0.field, claims: $0.claims)
    }
    self.oddities = oddities
  }
}

extension FileReport.Format {
  fileprivate init(_ wave: WaveReader) {
    container = wave.isWide ? "RF64" : "RIFF"
    encoding = wave.format.encoding == .float32 ? "float" : "integer"
    bits = wave.format.encoding.bits
    channels = wave.format.channels
    sampleRateHertz = wave.format.sampleRate.hertz
  }
}

extension FileReport.Start {
  fileprivate init?(_ wave: WaveReader, ixml: IXMLReading?) {
    guard let samples = wave.bext?.timeReference ?? ixml?.timeReference else { return nil }
    let rate = wave.format.sampleRate
    self.samples = samples
    seconds = Double(samples) / Double(rate.hertz)
    source = wave.bext == nil ? "iXML" : "bext"
    let frameRate = ixml?.frameRate ?? wave.bext?.frameRate
    self.frameRate = frameRate.map { "\($0.fraction) \($0.flag)" }
    let code = frameRate.flatMap { found -> Timecode? in
      // A reading that no day reaches is damage, not a time.
      guard samples / UInt64(rate.hertz) < 7 * 86_400 else { return nil }
      return Timecode(sample: samples, sampleRate: rate, rate: found)
    }
    timecode = code?.description
    samplesIntoFrame = code.flatMap { code in
      let first = code.firstSample(sampleRate: rate)
      return samples >= first ? samples - first : nil
    }
  }
}
