/// What an iXML chunk tells of a file (iXML specification 3.01), in any script.
///
/// What is nil or empty is left out of the text.
public struct IXML: Hashable, Sendable {
  public var project: String?
  public var scene: String?
  public var take: String?
  public var tape: String?
  public var note: String?
  public var isCircled = false
  /// A name of this one file, different for every file there is.
  public var fileUID: String?
  /// User bits of the timecode, eight hexadecimal digits.
  public var userBits: String?
  public var speed: Speed
  public var fileSet: FileSet?
  public var tracks: [Track] = []
  public var syncPoints: [SyncPoint] = []
  /// What the file was first called, and the file that it was made of.
  public var history: History?
  /// The recorder's own words, such as measured ppm and bounds.
  public var user: String?

  /// Makes a chunk that tells of `speed` and nothing else yet.
  public init(speed: Speed) { self.speed = speed }
}

extension IXML {
  /// Timecode and sample rate, and where the file begins.
  public struct Speed: Hashable, Sendable {
    public var frameRate: FrameRate
    public var format: WaveFormat
    /// The same number as in the file's ``Bext``.
    public var timeReference: UInt64
    public var note: String?

    /// Makes it of its parts.
    public init(
      frameRate: FrameRate, format: WaveFormat, timeReference: UInt64, note: String? = nil
    ) {
      self.frameRate = frameRate
      self.format = format
      self.timeReference = timeReference
      self.note = note
    }
  }

  /// The files that belong together: those of all hosts of a take.
  public struct FileSet: Hashable, Sendable {
    public var totalFiles: Int
    /// The same in all files of the take.
    public var familyUID: String
    public var familyName: String
    /// Which of the files, such as `A`.
    public var index: String?

    /// Makes it of its parts.
    public init(totalFiles: Int, familyUID: String, familyName: String, index: String? = nil) {
      self.totalFiles = totalFiles
      self.familyUID = familyUID
      self.familyName = familyName
      self.index = index
    }
  }

  /// A channel of the recorder and its place in the file.
  public struct Track: Hashable, Sendable {
    /// The recorder's channel, from 1.
    public var channel: Int
    /// The place in the file's frames, from 1.
    public var interleave: Int
    public var name: String

    /// Makes it of its parts.
    public init(channel: Int, interleave: Int, name: String) {
      self.channel = channel
      self.interleave = interleave
      self.name = name
    }
  }

  /// A marked frame.
  public struct SyncPoint: Hashable, Sendable {
    /// `RELATIVE` counts from the file's first frame, `ABSOLUTE` from timecode zero.
    public var isAbsolute: Bool
    /// `PRE_RECORD_SAMPLECOUNT`, `SLATE_GENERIC`, `MARKER_GENERIC` and so on.
    public var function: String
    public var comment: String?
    public var sample: UInt64

    /// Makes it of its parts.
    public init(isAbsolute: Bool = false, function: String, comment: String?, sample: UInt64) {
      self.isAbsolute = isAbsolute
      self.function = function
      self.comment = comment
      self.sample = sample
    }
  }

  /// Where a file comes from.
  public struct History: Hashable, Sendable {
    public var originalFilename: String
    public var parentFilename: String?
    public var parentUID: String?

    /// Makes it of its parts.
    public init(originalFilename: String, parentFilename: String? = nil, parentUID: String? = nil) {
      self.originalFilename = originalFilename
      self.parentFilename = parentFilename
      self.parentUID = parentUID
    }
  }
}
