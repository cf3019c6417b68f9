internal import BroadcastWave
internal import CaptureEngine
internal import Units

/// The options of `recorder daemon` that say how takes are put into files.
struct FileOptions {
  let settings: FileSettings
  /// Nothing: as the session does already.
  let timecode: String?

  init(line: ParsedLine) throws(UsageError) {
    var settings = FileSettings()
    settings.encoding = try Self.encoding(line)
    settings.isMono = line.has("--mono")
    settings.split = try Self.split(line)
    settings.isPlain = line.has("--plain-header")
    settings.measuresLoudness = line.has("--loudness")
    self.settings = settings
    timecode = try Self.timecode(line)
  }

  private static func encoding(_ line: ParsedLine) throws(UsageError) -> SampleEncoding {
    switch line.value("--bits") ?? "24" {
    case "16": return .integer(bits: 16)
    case "24": return .integer(bits: 24)
    case "32": return .integer(bits: 32)
    case "float": return .float32
    case let value:
      throw .badValue(option: "--bits", value: value, wanted: "16, 24, 32 or float")
    }
  }

  private static func split(_ line: ParsedLine) throws(UsageError) -> FileSettings.Split? {
    guard let text = line.value("--split") else { return nil }
    if let bytes = SizeText.parse(text), FileSettings.splitSizes.contains(bytes) {
      return .size(bytes: bytes)
    }
    if let length = DurationText.parse(text), FileSettings.splitLengths.contains(length) {
      return .length(length)
    }
    throw .badValue(
      option: "--split", value: text, wanted: "a length from 1s, or a size from 1MB: 1h, 4GB")
  }

  private static func timecode(_ line: ParsedLine) throws(UsageError) -> String? {
    guard line.has("--timecode-rate") || line.has("--timecode-mode") || line.has("--user-bits")
    else { return nil }
    let name = line.value("--timecode-rate") ?? "25"
    guard let rate = FrameRate(name) else {
      let known = FrameRate.all.map(\.name).joined(separator: ", ")
      throw .badValue(option: "--timecode-rate", value: name, wanted: "one of \(known)")
    }
    let word = line.value("--timecode-mode") ?? "time-of-day"
    guard let mode = TimecodeSetting.Mode(word, rate: rate) else {
      throw .badValue(
        option: "--timecode-mode", value: word,
        wanted: "time-of-day, free-run=10:00:00:00 or offset=-01:00:00:00, labels at \(rate.name)")
    }
    var userBits: UInt32?
    if let text = line.value("--user-bits"), text != "date" {
      guard let bits = TimecodeSetting.userBits(text) else {
        throw .badValue(
          option: "--user-bits", value: text, wanted: "date, or up to 8 hexadecimal digits")
      }
      userBits = bits
    }
    return TimecodeSetting(rate: rate, mode: mode, userBits: userBits).description
  }
}
