/// Why bytes are no sound file that can be read.
public enum WaveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin as RIFF or RF64 with WAVE does.
  case notWave
  /// There is no `fmt ` chunk, or one that says nothing.
  case noFormat
  /// The samples are stored in a way that this reader does not know.
  case unknownFormat(UnknownFormat)
  /// There is no `data` chunk.
  case noAudio
  /// An RF64 file has no `ds64` chunk.
  case noWideSizes
  /// Its chunks contradict each other so that no repair of it would last.
  case contradictory
  /// The bytes could not be had; the text says why.
  case unreadable(String)

  public var description: String {
    switch self {
    case .notWave: "it is no WAV file: it begins neither with RIFF nor with RF64"
    case .noFormat: "its format chunk is missing or says nothing"
    case .unknownFormat(let format):
      "its samples are stored in a way that this recorder does not read: format \(format.tag), "
        + "\(format.bits) bits, channels: \(format.channels)"
    case .noAudio: "it has no data chunk"
    case .noWideSizes: "it is RF64 and lacks the ds64 chunk, which holds its sizes"
    case .contradictory:
      "its chunks contradict each other: repaired, it would be read in yet another way, so it is "
        + "left as it is"
    case .unreadable(let reason): reason
    }
  }
}
