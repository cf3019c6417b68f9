internal import BroadcastWave
internal import Control
internal import Recording
internal import Units

/// A sound report as CSV (RFC 4180): a line per file, in order of take, host and file.
struct SoundReport {
  let report: TakesReport

  static let columns = [
    "take", "circled", "scene", "project", "tape", "date", "start_time", "start_timecode",
    "length_s", "host", "file", "channels", "sample_rate_hz", "bits", "gaps", "verdict",
    "bound_us", "markers", "note", "track",
  ]

  var lines: [String] {
    [Self.line(Self.columns)]
      + report.takes.flatMap { take in
        take.hosts.flatMap { host in
          Self.files(of: host).enumerated().map {
            Self.line(fields(take, host, file: $1, place: $0))
          }
        }
      }
  }

  /// The files' names, and in the place of those that are too many to list a word of them.
  private static func files(of host: HostTake) -> [String] {
    let more = host.filesLeft.map { ["\($0) more files: see take.json in \(host.folder)"] } ?? []
    return (host.files.isEmpty ? [""] : host.files) + more
  }

  private func fields(
    _ take: TakesReport.Take, _ host: HostTake, file: String, place: Int
  ) -> [String] {
    let frames = host.frames(ofFile: place)
    let rate = host.sampleRateHertz.map { SampleRate(hertz: max(1, $0)) }
    let seconds = { (count: Int64) in rate?.duration(of: FrameCount(count)) }
    let start = host.t0UnixNanoseconds.map {
      CivilDate.text(
        unixNanoseconds: $0 + (seconds(frames.lowerBound)?.wholeNanoseconds ?? 0),
        offsetSeconds: Int(host.utcOffsetSeconds ?? 0))
    }
    let track = host.tracks.flatMap { $0.indices.contains(place) ? $0[place] : nil } ?? 0
    let date = start.map { String($0.prefix(10)) } ?? ""
    let time = start.map { String($0.dropFirst(11)) } ?? ""
    let number = { (value: Int?) in value.map { String($0) } ?? "" }
    return [
      take.label, take.isCircled ? "yes" : "no", take.name, host.take.project ?? "",
      host.take.tape ?? "", date, time,
      Self.timecode(of: host, frame: frames.lowerBound, rate: rate) ?? "",
      seconds(Int64(frames.count)).map { Decimals.text($0.inSeconds, places: 3) } ?? "",
      host.label, file, track > 0 ? "1" : number(host.channels), number(host.sampleRateHertz),
      number(host.bits), "\(host.gaps)",
      host.t1 == nil ? "rolling" : host.verdict?.rawValue ?? "recovered",
      host.boundNanoseconds.map { Decimals.text(Double($0) / 1000, places: 1) } ?? "",
      "\(host.markers)", host.remarks?.note ?? take.note ?? "", track > 0 ? "\(track)" : "",
    ]
  }

  /// The timecode of a file's first frame, with its rate, as `take.json` has the take's.
  private static func timecode(of host: HostTake, frame: Int64, rate: SampleRate?) -> String? {
    guard frame > 0, let reference = host.timeReference, let rate, let words = host.timecode,
      let mark = words.firstRange(of: " at "),
      let setting = TimecodeSetting(String(words[mark.upperBound...]))
    else { return host.timecode }
    let sample = TimeReference.advanced(
      reference, by: frame, sampleRate: rate, frameRate: setting.rate)
    return "\(Timecode(sample: sample, sampleRate: rate, rate: setting.rate)) at \(setting)"
  }

  /// Fields in quotes where they need them.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }.joined(separator: ",")
  }
}
