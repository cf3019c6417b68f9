internal import BroadcastWave
internal import Units

/// A project of Final Cut Pro, version 1.9 of its interchange format; times are exact fractions.
enum FinalCutXML {
  static func text(of project: EditorProject) -> String {
    let rate = project.frameRate
    let format = XMLElement(
      "format",
      [
        "id": "r1", "name": "FFVideoFormatRateUndefined",
        "frameDuration": "\(rate.denominator)/\(rate.numerator)s",
      ])
    let assets = project.clips.enumerated().map { asset($1, id: "a\($0 + 1)") }
    let sequence = XMLElement(
      "sequence",
      [
        "format": "r1", "tcStart": time(Int64(project.startSample), project.sampleRate),
        "tcFormat": rate.dropsFrames ? "DF" : "NDF", "duration": samples(project.length, project),
        "audioLayout": "stereo", "audioRate": audioRate(project.sampleRate),
      ], [XMLElement("spine", [:], [gap(of: project)])])
    let event = XMLElement(
      "event", ["name": project.name],
      [XMLElement("project", ["name": project.name], [sequence])])
    let root = XMLElement(
      "fcpxml", ["version": "1.9"],
      [
        XMLElement("resources", [:], [format] + assets),
        XMLElement("library", [:], [event]),
      ])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE fcpxml>\n" + root.text()
  }

  private static func asset(_ clip: EditorClip, id: String) -> XMLElement {
    XMLElement(
      "asset",
      [
        "id": id, "name": clip.name, "start": time(Int64(clip.timeReference), clip.sampleRate),
        "duration": time(clip.mediaFrames.value, clip.sampleRate), "hasAudio": "1",
        "audioSources": "1",
        "audioChannels": "\(clip.channels)", "audioRate": "\(clip.sampleRate.hertz)",
      ],
      [XMLElement("media-rep", ["kind": "original-media", "src": FileURL.of(clip.path)])])
  }

  /// All clips hang on a gap that begins at the project's timecode.
  private static func gap(of project: EditorProject) -> XMLElement {
    let tracks = project.tracks
    let clips = project.clips.enumerated().map { number, clip in
      let lane = (tracks.firstIndex(of: clip.track) ?? 0) + 1
      return XMLElement(
        "asset-clip",
        [
          "ref": "a\(number + 1)", "lane": "-\(lane)", "name": clip.name,
          "offset": samples(clip.start, project, after: project.startSample),
          "start": time(Int64(clip.startReference), clip.sampleRate),
          "duration": samples(clip.length, project), "audioRole": "dialogue",
        ])
    }
    let markers = project.markers.map { marker in
      XMLElement(
        "marker",
        [
          "start": samples(marker.position, project, after: project.startSample),
          "duration": time(1, project.sampleRate), "value": marker.text,
        ])
    }
    return XMLElement(
      "gap",
      [
        "name": "Gap", "offset": time(Int64(project.startSample), project.sampleRate),
        "start": time(Int64(project.startSample), project.sampleRate),
        "duration": samples(project.length, project),
      ], clips + markers)
  }

  private static func samples(
    _ seconds: Double, _ project: EditorProject, after start: UInt64 = 0
  ) -> String {
    let count = Int64((seconds * Double(project.sampleRate.hertz)).rounded())
    return time(Int64(start) + count, project.sampleRate)
  }

  private static func time(_ samples: Int64, _ rate: SampleRate) -> String {
    "\(samples)/\(rate.hertz)s"
  }

  private static func audioRate(_ rate: SampleRate) -> String {
    let names: [Int: String] = [
      32_000: "32k", 44_100: "44.1k", 48_000: "48k", 88_200: "88.2k", 96_000: "96k",
      176_400: "176.4k", 192_000: "192k",
    ]
    return names[rate.hertz] ?? "48k"
  }
}
