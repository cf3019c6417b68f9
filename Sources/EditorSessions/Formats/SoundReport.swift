internal import BroadcastWave
internal import Units

/// A sound report, a line a file, with commas (RFC 4180).
enum SoundReport {
  static let columns = [
    "file", "track", "scene", "take", "start_tc", "end_tc", "length_s", "channels", "rate_hz",
    "time_reference", "ppm", "note",
  ]

  static func text(of project: EditorProject) -> String {
    let rows = project.clips.map { clip in
      [
        clip.name, clip.track, clip.scene, clip.take, project.timecode(at: clip.start).description,
        project.timecode(at: clip.start + clip.length).description,
        Decimal.text(clip.length, places: 6), "\(clip.channels)", "\(clip.sampleRate.hertz)",
        "\(clip.timeReference)", Decimal.text((clip.playRate - 1) * 1e6, places: 4), clip.note,
      ]
    }
    return ([columns] + rows).map { row in
      row.map(field).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

/// A log for Avid's editors: columns with tabs.
enum AvidLog {
  static func text(of project: EditorProject) -> String {
    let rate = project.frameRate
    let fps =
      rate.denominator == 1
      ? "\(rate.numerator)"
      : Decimal.text(Double(rate.numerator) / Double(rate.denominator), places: 3)
    var lines = [
      "Heading", "FIELD_DELIM\tTABS", "VIDEO_FORMAT\t1080",
      "AUDIO_FORMAT\t\(project.sampleRate.hertz / 1000)khz", "FPS\t\(fps)", "", "Column",
      "Name\tTracks\tStart\tEnd\tScene\tTake\tSoundroll\tSource File\tDescription", "", "Data",
    ]
    for clip in project.clips {
      let channels = (1...min(clip.channels, 64)).map { "A\($0)" }.joined()
      let fields = [
        clip.name, channels, project.timecode(at: clip.start).description,
        project.timecode(at: clip.start + clip.length).description, clip.scene, clip.take,
        clip.track, clip.path, clip.note,
      ]
      lines.append(fields.map(OneLine.of).joined(separator: "\t"))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }
}
