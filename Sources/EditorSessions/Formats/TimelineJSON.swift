internal import BroadcastWave
internal import Units

/// A timeline of OpenTimelineIO, as its JSON files have it.
enum TimelineJSON {
  static func text(of project: EditorProject) -> String {
    let rate = Double(project.sampleRate.hertz)
    let tracks = project.tracks.map { track($0, of: project, rate: rate) }
    let markers = project.markers.map { marker in
      JSONValue.object([
        ("OTIO_SCHEMA", .text("Marker.2")), ("name", .text(marker.text)),
        ("color", .text("GREEN")),
        ("marked_range", range(from: marker.position * rate, length: 0, rate: rate)),
      ])
    }
    let stack = JSONValue.object([
      ("OTIO_SCHEMA", .text("Stack.1")), ("name", .text("tracks")), ("children", .list(tracks)),
      ("markers", .list(markers)), ("effects", .list([])), ("source_range", .null),
    ])
    return JSONValue.object([
      ("OTIO_SCHEMA", .text("Timeline.1")), ("name", .text(project.name)),
      ("global_start_time", time(Double(project.startSample), rate: rate)), ("tracks", stack),
    ]).text() + "\n"
  }

  /// Clips one after another, with gaps between them.
  private static func track(_ name: String, of project: EditorProject, rate: Double) -> JSONValue {
    var children: [JSONValue] = []
    var end = 0.0
    for clip in project.clips(on: name) {
      let gap = clip.start * rate - end
      if gap > 0 { children.append(self.gap(gap, rate: rate)) }
      children.append(self.clip(clip, rate: rate))
      end = max(end, clip.start * rate) + clip.length * rate
    }
    return .object([
      ("OTIO_SCHEMA", .text("Track.1")), ("name", .text(name)), ("kind", .text("Audio")),
      ("children", .list(children)), ("markers", .list([])), ("effects", .list([])),
      ("source_range", .null),
    ])
  }

  private static func gap(_ length: Double, rate: Double) -> JSONValue {
    .object([
      ("OTIO_SCHEMA", .text("Gap.1")), ("name", .text("")),
      ("source_range", range(from: 0, length: length, rate: rate)), ("markers", .list([])),
      ("effects", .list([])),
    ])
  }

  private static func clip(_ clip: EditorClip, rate: Double) -> JSONValue {
    let own = Double(clip.sampleRate.hertz)
    let start = Double(clip.timeReference)
    let first = Double(clip.startReference)
    let media = JSONValue.object([
      ("OTIO_SCHEMA", .text("ExternalReference.1")), ("name", .text(clip.name)),
      ("target_url", .text(FileURL.of(clip.path))),
      ("available_range", range(from: start, length: Double(clip.mediaFrames.value), rate: own)),
    ])
    let warp = JSONValue.object([
      ("OTIO_SCHEMA", .text("LinearTimeWarp.1")), ("name", .text("drift")),
      ("effect_name", .text("LinearTimeWarp")), ("time_scalar", .number(clip.playRate)),
    ])
    return .object([
      ("OTIO_SCHEMA", .text("Clip.2")), ("name", .text(clip.name)),
      ("source_range", range(from: first / own * rate, length: clip.length * rate, rate: rate)),
      ("media_references", .object([("DEFAULT_MEDIA", media)])),
      ("active_media_reference_key", .text("DEFAULT_MEDIA")), ("markers", .list([])),
      ("effects", .list(clip.playRate == 1 ? [] : [warp])),
    ])
  }

  private static func time(_ value: Double, rate: Double) -> JSONValue {
    .object([
      ("OTIO_SCHEMA", .text("RationalTime.1")), ("rate", .number(rate)), ("value", .number(value)),
    ])
  }

  private static func range(from start: Double, length: Double, rate: Double) -> JSONValue {
    .object([
      ("OTIO_SCHEMA", .text("TimeRange.1")), ("start_time", time(start, rate: rate)),
      ("duration", time(length, rate: rate)),
    ])
  }
}
