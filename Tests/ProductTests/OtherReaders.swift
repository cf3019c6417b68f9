import Glibc
import TestFolders

/// What programs by others say of a 24-bit file of one channel.
struct OtherReaders {
  /// The number of frames, by reader.
  let frames: [String: UInt64]
  /// The TimeReference of the bext chunk, by reader; `soxi` shows none.
  let timeReferences: [String: UInt64]

  init(path: String) {
    let file = "'\(path)'"
    let sndfile = ShellCommand.output(of: "sndfile-info \(file); sndfile-info --broadcast \(file)")
    let probe = ShellCommand.output(
      of: "ffprobe -v error -show_entries stream=duration_ts:format_tags=time_reference "
        + "-of default=nw=1 \(file)")
    let media = ShellCommand.output(of: "mediainfo --Details=1 \(file)")
    let exif = ShellCommand.output(of: "exiftool -s -TimeReference \(file)")
    let chunks = ShellCommand.output(of: "exiftool -v1 \(file) | grep \"'data' chunk\"")
    frames = [
      "sndfile-info": Self.number(after: "Frames", in: sndfile),
      "soxi": UInt64(ShellCommand.output(of: "soxi -s \(file)").dropLast()),
      "ffprobe": Self.number(after: "duration_ts", in: probe),
      "mediainfo": UInt64(
        ShellCommand.output(of: "mediainfo --Inform='Audio;%SamplingCount%' \(file)").dropLast()),
      "exiftool": Self.number(after: "'data' chunk (", in: chunks).map { $0 / 3 },
    ].compactMapValues(\.self)
    timeReferences = [
      "sndfile-info": Self.hexadecimal(after: "Time ref", in: sndfile),
      "ffprobe": Self.number(after: "time_reference", in: probe),
      "mediainfo": Self.number(after: "TimeReference", in: media),
      "exiftool": Self.number(after: "TimeReference", in: exif),
    ].compactMapValues(\.self)
  }

  private static func number(after label: String, in text: String) -> UInt64? {
    rest(after: label, in: text).flatMap { UInt64($0.prefix { $0.isNumber }) }
  }

  private static func hexadecimal(after label: String, in text: String) -> UInt64? {
    rest(after: label, in: text).flatMap {
      let digits = $0.drop { !$0.isNumber }
      return digits.hasPrefix("0x")
        ? UInt64(digits.dropFirst(2).prefix { $0.isHexDigit }, radix: 16)
        : UInt64(digits.prefix { $0.isNumber })
    }
  }

  private static func rest(after label: String, in text: String) -> Substring? {
    text.firstRange(of: label).map { found in
      text[found.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "=" || $0 == "\t" }
    }
  }
}
