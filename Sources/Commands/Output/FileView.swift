internal import TakeAlignment

/// Everything about a sound file, for people.
struct FileView {
  let report: FileReport

  var lines: [String] {
    var lines = [PlainText.of(report.path)]
    var table = TextTable()
    for (name, value) in facts where !value.isEmpty {
      table.add(["  \(name)", PlainText.of(value)])
    }
    lines += table.lines
    lines += list("cues", report.cues.map(text))
    lines += list(
      "contradictions",
      report.disagreements.map { one in
        let claims = one.claims.sorted { $0.key < $1.key }.map { "\($0.key) says \($0.value)" }
        return "\(one.field): " + claims.joined(separator: ", ")
      })
    lines += list("look at", report.oddities)
    if report.isInOrder { lines.append("  in order: nothing is off") }
    return lines
  }

  private func list(_ title: String, _ entries: [String]) -> [String] {
    if entries.isEmpty { return [] }
    return ["  \(title)"] + entries.map { "    " + PlainText.of($0) }
  }

  private func text(_ cue: FileReport.Cue) -> String {
    let length = cue.frames.map { " (region of \($0) frames)" } ?? ""
    let note = cue.note.map { ": \($0)" } ?? ""
    return "\(Decimals.text(cue.seconds, places: 3)) s, frame \(cue.frame)  \(cue.text)"
      + length + note
  }
}

// The facts, by name.
extension FileView {
  private typealias Fact = (String, String)

  private var facts: [Fact] {
    sound + time + bext + ixml + company
  }

  private var isShort: Bool { report.durationSeconds < 0.1 }

  private var sound: [Fact] {
    let format = report.format
    let channels = format.channels == 1 ? "1 channel" : "\(format.channels) channels"
    return [
      (
        "format",
        "\(format.container), \(format.bits)-bit \(format.encoding), \(channels), "
          + "\(format.sampleRateHertz) Hz"
      ),
      (
        "length",
        "\(Decimals.text(report.durationSeconds, places: isShort ? 6 : 3)) s, "
          + "\(report.frames) frames, "
          + Decimals.bytes(Int64(clamping: report.lengthBytes))
      ),
      ("chunks", report.chunks.map { $0.name.trimmed }.joined(separator: " · ")),
    ]
  }

  private var time: [Fact] {
    let civil = [report.date, report.time].compactMap(\.self).joined(separator: " ")
    guard let start = report.start else {
      return [("start", "not told: no TimeReference"), ("date", civil)]
    }
    var code = start.timecode ?? "no timecode: the file tells no frame rate"
    if let rate = start.frameRate { code += " at \(rate)" }
    if let rest = start.samplesIntoFrame, rest > 0 { code += " + \(rest) samples" }
    return [
      ("timecode", code),
      ("start", "sample \(start.samples) since timecode zero (\(start.source))"),
      ("date", civil),
    ]
  }

  private var bext: [Fact] {
    guard let bext = report.bext else { return [("bext", "none")] }
    return [
      ("bext", "version \(bext.version)"),
      ("  description", bext.description),
      ("  originator", bext.originator),
      ("  reference", bext.originatorReference),
      ("  UMID", bext.umid ?? ""),
      ("  history", bext.codingHistory.joined(separator: " | ")),
    ]
  }

  private var ixml: [Fact] {
    guard let ixml = report.ixml else { return [("iXML", "none")] }
    return [
      ("iXML", ixml.version.map { "version \($0)" } ?? "no version"),
      ("  project", ixml.project ?? ""),
      ("  scene", ixml.scene ?? ""),
      ("  take", (ixml.take ?? "") + (ixml.isCircled == true ? " (circled)" : "")),
      ("  tape", ixml.tape ?? ""),
      ("  note", ixml.note ?? ""),
      ("  user bits", ixml.userBits ?? ""),
      ("  file", ixml.fileUID ?? ""),
      ("  first called", ixml.originalFilename ?? ""),
      ("  made of", ixml.parentFilename ?? ""),
      ("  tracks", ixml.tracks.map { "\($0.interleave) \($0.name)" }.joined(separator: " · ")),
      (
        "  sync points",
        ixml.syncPoints.map { "\($0.sample) \($0.comment ?? $0.function)" }
          .joined(separator: " · ")
      ),
      ("  user", ixml.user ?? ""),
    ]
  }

  private var company: [Fact] {
    var facts: [Fact] = []
    if let family = report.family {
      let beside = family.filesBeside.count
      facts.append(
        (
          "family",
          "\(family.name.isEmpty ? family.uid : family.name), \(beside) here of "
            + "\(max(beside, family.totalFiles))"
        ))
    }
    if let summary = report.takeSummary {
      let gaps = summary.gaps == 1 ? "1 gap" : "\(summary.gaps) gaps"
      facts.append(
        (
          "take.json",
          (summary.isComplete ? "complete" : "not complete") + ", \(gaps), "
            + "\(summary.frames) frames"
        ))
    }
    guard let log = report.timingLog else { return facts + [("timing log", "none beside it")] }
    let end = log.hasEnd ? (log.isComplete == true ? "complete" : "not complete") : "interrupted"
    facts.append(
      (
        "timing log",
        "\(end), take “\(log.takeName)” by \(log.host), \(log.observations) observations, "
          + "\(log.gaps) gaps"
      ))
    facts.append(("  head", log.head.map(place) ?? ""))
    facts.append(("  tail", log.tail.map(place) ?? ""))
    return facts
  }

  private func place(_ place: LogReport.Place) -> String {
    "frame \(place.frame) ±\(Decimals.time(nanoseconds: place.boundNanoseconds)) "
      + "(path ≤ \(Decimals.time(nanoseconds: place.pathLimitNanoseconds)))"
  }
}

extension String {
  /// Without the blanks at the end that fill a chunk's name.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
