internal import BroadcastWave
internal import Units

/// Edit decision lists as CMX 3600 has them, one a track: frame-exact, with what lies below the
/// frame in a comment.
enum EditDecisionList {
  static func files(of project: EditorProject) -> [EditorFile] {
    let stem = FileStem.of(project.name)
    return project.tracks.map { track in
      EditorFile("\(stem)_\(FileStem.of(track)).edl", text(of: project, track: track))
    }
  }

  private static func text(of project: EditorProject, track: String) -> String {
    var lines = [
      "TITLE: \(OneLine.of(project.name)) \(OneLine.of(track))",
      "FCM: \(project.frameRate.dropsFrames ? "DROP FRAME" : "NON-DROP FRAME")", "",
    ]
    for (number, clip) in project.clips(on: track).prefix(999).enumerated() {
      lines += event(number + 1, clip, in: project)
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private static func event(
    _ number: Int, _ clip: EditorClip, in project: EditorProject
  ) -> [String] {
    let rate = project.frameRate
    let source = Timecode(
      sample: clip.startReference, sampleRate: clip.sampleRate, rate: rate)
    let record = project.timecode(at: clip.start)
    let framesPerSecond = Double(rate.numerator) / Double(rate.denominator)
    let frames = max(1, Int64((clip.length * framesPerSecond).rounded(.down)))
    let times = [
      source, Timecode(frame: source.frame + frames, rate: rate), record,
      Timecode(frame: record.frame + frames, rate: rate),
    ].map(\.description).joined(separator: " ")
    let reel = reel(clip.track)
    let channel = clip.channels > 1 ? "AA " : "A  "
    let start =
      project.startSample
      + UInt64((clip.start * Double(project.sampleRate.hertz)).rounded())
    let below = start - record.firstSample(sampleRate: project.sampleRate)
    let digits = String(number)
    return [
      "\(String(repeating: "0", count: 3 - digits.count))\(digits)  \(reel) \(channel)  C        "
        + times,
      "* FROM CLIP NAME: \(OneLine.of(clip.name))",
      "* FILE: \(OneLine.of(clip.path))",
      "* RECORD IN IS \(below) SAMPLES AFTER THE FRAME'S START",
      "* SPEED \(Decimal.text(clip.playRate, places: 9))", "",
    ]
  }

  /// Eight letters and digits, as old controllers want them.
  private static func reel(_ track: String) -> String {
    let name = track.uppercased().unicodeScalars.filter {
      (48...57).contains($0.value) || (65...90).contains($0.value)
    }.prefix(8)
    let text = String(String.UnicodeScalarView(name))
    let reel = text.isEmpty ? "AX" : text
    return reel + String(repeating: " ", count: 8 - reel.count)
  }
}
