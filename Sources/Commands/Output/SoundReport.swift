internal import Control
internal import Recording
internal import Units

/// A sound report as CSV (RFC 4180): a line per file, in order of take, host and file.
struct SoundReport {
  let report: TakesReport

  static let columns = [
    "take", "circled", "scene", "project", "tape", "date", "start_time", "start_timecode",
    "length_s", "host", "file", "channels", "sample_rate_hz", "bits", "gaps", "verdict",
    "bound_us", "markers", "note",
  ]

  var lines: [String] {
    [Self.line(Self.columns)]
      + report.takes.flatMap { take in
        take.hosts.flatMap { host in
          (host.files.isEmpty ? [""] : host.files).map { Self.line(fields(take, host, file: $0)) }
        }
      }
  }

  private func fields(_ take: TakesReport.Take, _ host: HostTake, file: String) -> [String] {
    let start = host.t0UnixNanoseconds.map {
      CivilDate.text(unixNanoseconds: $0, offsetSeconds: Int(host.utcOffsetSeconds ?? 0))
    }
    let date = start.map { String($0.prefix(10)) } ?? ""
    let time = start.map { String($0.dropFirst(11)) } ?? ""
    let number = { (value: Int?) in value.map { String($0) } ?? "" }
    return [
      take.label, take.isCircled ? "yes" : "no", take.name, host.take.project ?? "",
      host.take.tape ?? "", date, time, host.timecode ?? "",
      host.seconds.map { Decimals.text($0, places: 3) } ?? "", host.label, file,
      number(host.channels), number(host.sampleRateHertz), number(host.bits), "\(host.gaps)",
      host.t1 == nil ? "rolling" : host.verdict?.rawValue ?? "recovered",
      host.boundNanoseconds.map { Decimals.text(Double($0) / 1000, places: 1) } ?? "",
      "\(host.markers)", host.remarks?.note ?? take.note ?? "",
    ]
  }

  /// Fields in quotes where they need them.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }.joined(separator: ",")
  }
}
