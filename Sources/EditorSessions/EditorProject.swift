public import BroadcastWave
public import Units

/// Files in their places, for an editor to open.
public struct EditorProject: Hashable, Sendable {
  public let name: String
  public let sampleRate: SampleRate
  public let frameRate: FrameRate
  /// The timecode of the project's start: samples since 00:00:00:00 at ``sampleRate``.
  public let startSample: UInt64
  public let clips: [EditorClip]
  public let markers: [EditorMarker]

  /// Makes a project. Clips of one track that sound at once, such as a host's mono files, are spread
  /// over further tracks: `rec-a`, `rec-a 2`.
  public init(
    name: String, sampleRate: SampleRate, frameRate: FrameRate, startSample: UInt64,
    clips: [EditorClip], markers: [EditorMarker] = []
  ) {
    self.name = name
    self.sampleRate = sampleRate
    self.frameRate = frameRate
    self.startSample = startSample
    self.clips = Self.spread(clips, tolerance: 1 / Double(sampleRate.hertz))
    self.markers = markers
  }

  /// How long it lasts, in seconds.
  public var length: Double { clips.map { $0.start + $0.length }.max() ?? 0 }

  /// The names of the tracks, in the order in which they come.
  public var tracks: [String] {
    clips.reduce(into: []) { tracks, clip in
      if !tracks.contains(clip.track) { tracks.append(clip.track) }
    }
  }

  /// Few editors play what lies over one another on a track. Segments that touch may overlap by a
  /// sample, for their lengths are rounded.
  private static func spread(_ clips: [EditorClip], tolerance: Double) -> [EditorClip] {
    var clips = clips
    var ends: [String: [Double]] = [:]
    let order = clips.indices.sorted { (clips[$0].start, $0) < (clips[$1].start, $1) }
    for index in order {
      let clip = clips[index]
      var lanes = ends[clip.track] ?? []
      let lane = lanes.firstIndex { $0 <= clip.start + tolerance } ?? lanes.count
      let end = clip.start + clip.length
      if lane == lanes.count { lanes.append(end) } else { lanes[lane] = end }
      ends[clip.track] = lanes
      if lane > 0 { clips[index].track = "\(clip.track) \(lane + 1)" }
    }
    return clips
  }

  /// The clips of a track, in the order of time.
  func clips(on track: String) -> [EditorClip] {
    clips.filter { $0.track == track }.sorted { $0.start < $1.start }
  }

  /// The timecode frame in which `seconds` after the start lies.
  func timecode(at seconds: Double) -> Timecode {
    let sample = startSample + UInt64((seconds * Double(sampleRate.hertz)).rounded())
    return Timecode(sample: sample, sampleRate: sampleRate, rate: frameRate)
  }
}
