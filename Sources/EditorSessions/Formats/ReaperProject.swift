internal import BroadcastWave
internal import Units

/// A project of Reaper, by the tags that its own files have.
///
/// Drift is in the items' play rates, without preserving the pitch: raw files play in step.
enum ReaperProject {
  static func text(of project: EditorProject) -> String {
    let seconds = Double(project.startSample) / Double(project.sampleRate.hertz)
    let drops = project.frameRate.dropsFrames ? 1 : project.frameRate.denominator == 1 ? 0 : 2
    var lines = [
      "<REAPER_PROJECT 0.1 \"7.0\" 0",
      "  PROJOFFS \(Decimal.text(seconds, places: 9)) 0 0",
      "  TIMEMODE 1 5 -1 \(project.frameRate.nominal) \(drops) 0 -1",
      "  SAMPLERATE \(project.sampleRate.hertz) 1 0",
    ]
    for (number, marker) in project.markers.enumerated() {
      lines.append(
        "  MARKER \(number + 1) \(Decimal.text(marker.position, places: 12)) \(quoted(marker.text)) 0"
      )
    }
    for track in project.tracks {
      let clips = project.clips(on: track)
      lines += [
        "  <TRACK", "    NAME \(quoted(track))",
        "    NCHAN \(max(2, clips.map(\.channels).max() ?? 2))",
      ]
      for clip in clips { lines += item(clip).map { "    " + $0 } }
      lines.append("  >")
    }
    return (lines + [">"]).joined(separator: "\n") + "\n"
  }

  private static func item(_ clip: EditorClip) -> [String] {
    let offset = Double(clip.mediaStart.value) / Double(clip.sampleRate.hertz)
    return [
      "<ITEM", "  POSITION \(Decimal.text(clip.start, places: 12))",
      "  LENGTH \(Decimal.text(clip.length, places: 12))", "  LOOP 0",
      "  PLAYRATE \(Decimal.text(clip.playRate, places: 14)) 0 0 -1 0 0.0025",
      "  SOFFS \(Decimal.text(offset, places: 12))", "  NAME \(quoted(clip.name))",
      "  <SOURCE WAVE",
      "    FILE \(quoted(clip.path))", "  >", ">",
    ]
  }

  /// Reaper has three quotation marks and no way to escape one.
  private static func quoted(_ text: String) -> String {
    let text = OneLine.of(text)
    for mark in ["\"", "'", "`"] where !text.contains(mark) { return mark + text + mark }
    return "`" + String(text.map { $0 == "`" ? "'" : $0 }) + "`"
  }
}
