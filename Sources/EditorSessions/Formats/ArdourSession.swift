internal import BroadcastWave
internal import Units

/// A session of Ardour 7 and 8 that refers to the files where they are.
///
/// It is a folder with the session's file; Ardour makes what else it needs when it opens it. Times
/// are in superclocks, 282 240 000 a second, which all usual sample rates divide.
enum ArdourSession {
  private static let superclocks: Int64 = 282_240_000

  /// Draws the numbers that tell the session's objects apart.
  private struct Numbers {
    private var last = 100

    mutating func next() -> String {
      last += 1
      return "\(last)"
    }
  }

  /// A clip with the ids of its sources, one a channel.
  private struct Placed {
    let clip: EditorClip
    let sources: [String]
  }

  static func text(of project: EditorProject, named name: String) -> String {
    var numbers = Numbers()
    // Stretches of one file share its sources.
    var files: [String: [String]] = [:]
    let placed = project.clips.map { clip in
      let known = files[clip.path] ?? (0..<clip.channels).map { _ in numbers.next() }
      files[clip.path] = known
      return Placed(clip: clip, sources: known)
    }
    let wholes = placed.filter { files.removeValue(forKey: $0.clip.path) != nil }
    var routes: [XMLElement] = []
    var playlists: [XMLElement] = []
    for (order, track) in project.tracks.enumerated() {
      let clips = placed.filter { $0.clip.track == track }
      let id = (route: numbers.next(), playlist: numbers.next())
      let channels = clips.map(\.clip.channels).max() ?? 1
      routes.append(
        route(
          track, id: id.route, playlist: id.playlist, order: order, channels: channels, &numbers))
      playlists.append(
        XMLElement(
          "Playlist",
          [
            "id": id.playlist, "name": track, "type": "audio", "orig-track-id": id.route,
            "frozen": "0", "combine-ops": "0",
          ], clips.map { region($0, in: project, isWhole: false, &numbers) }))
    }
    routes.append(master(order: routes.count, &numbers))
    let regions = wholes.map { region($0, in: project, isWhole: true, &numbers) }
    let root = XMLElement(
      "Session",
      [
        "version": "7002", "name": name, "sample-rate": "\(project.sampleRate.hertz)",
        "id-counter": "100000", "name-counter": "1", "event-counter": "0", "vca-counter": "1",
      ],
      [
        XMLElement("ProgramVersion", ["created-with": "recorder", "modified-with": "recorder"]),
        config(of: project), XMLElement("Metadata"),
        XMLElement("Sources", [:], wholes.flatMap(sources)),
        XMLElement("Regions", [:], regions), locations(of: project, &numbers),
        XMLElement("Bundles"), XMLElement("Routes", [:], routes),
        XMLElement("Playlists", [:], playlists), XMLElement("UnusedPlaylists"),
        XMLElement("RouteGroups"), tempoMap,
      ])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text()
  }

  private static func config(of project: EditorProject) -> XMLElement {
    let options = [
      ("native-file-data-format", "FormatFloat"), ("timecode-format", timecode(project.frameRate)),
    ]
    return XMLElement(
      "Config", [:], options.map { XMLElement("Option", ["name": $0.0, "value": $0.1]) })
  }

  /// Ardour has no rates of 47.952, 48 and 50: half of them has the same seconds.
  private static func timecode(_ rate: FrameRate) -> String {
    let names: [FrameRate: String] = [
      .fps23976: "23976", .fps24: "24", .fps25: "25", .fps2997: "2997", .fps2997Drop: "2997drop",
      .fps30: "30", .fps30Drop: "30drop", .fps47952: "23976", .fps48: "24", .fps50: "25",
      .fps5994: "5994", .fps5994Drop: "2997drop", .fps60: "60",
    ]
    return "timecode_" + (names[rate] ?? "25")
  }

  private static func sources(_ placed: Placed) -> [XMLElement] {
    placed.sources.enumerated().map { channel, id in
      XMLElement(
        "Source",
        [
          "name": placed.clip.path, "type": "audio", "flags": "", "id": id,
          "channel": "\(channel)", "origin": "", "gain": "1",
        ])
    }
  }

  private static func region(
    _ placed: Placed, in project: EditorProject, isWhole: Bool, _ numbers: inout Numbers
  ) -> XMLElement {
    let clip = placed.clip
    let frames = isWhole ? clip.mediaFrames : clip.frames
    let length = frames.value * superclocks / Int64(clip.sampleRate.hertz)
    let first = isWhole ? 0 : clip.mediaStart.value * superclocks / Int64(clip.sampleRate.hertz)
    let start = isWhole ? 0 : place(clip.start, in: project)
    var element = XMLElement(
      "Region",
      [
        "name": isWhole ? clip.name : clip.name + ".1", "muted": "0", "opaque": "1", "locked": "0",
        "automatic": "0", "whole-file": isWhole ? "1" : "0", "id": numbers.next(),
        "type": "audio", "start": "a\(first)", "length": "a\(length)@a\(start)",
        "position": "a\(start)",
        "channels": "\(clip.channels)", "layering-index": "0", "first-edit": "nothing",
      ])
    for (channel, id) in placed.sources.enumerated() {
      element.attributes.append(("source-\(channel)", id))
      element.attributes.append(("master-source-\(channel)", id))
    }
    return element
  }

  private static func locations(
    of project: EditorProject, _ numbers: inout Numbers
  ) -> XMLElement {
    let end = place(project.length, in: project)
    var all = [
      location("session", from: place(0, in: project), to: end, "IsSessionRange", &numbers)
    ]
    for marker in project.markers {
      let position = place(marker.position, in: project)
      all.append(location(marker.text, from: position, to: position, "IsMark", &numbers))
    }
    return XMLElement("Locations", [:], all)
  }

  private static func location(
    _ name: String, from start: Int64, to end: Int64, _ flags: String, _ numbers: inout Numbers
  ) -> XMLElement {
    XMLElement(
      "Location",
      [
        "id": numbers.next(), "name": name, "start": "a\(start)", "end": "a\(end)",
        "flags": flags, "locked": "0",
      ])
  }

  /// On Ardour's timeline, which begins at timecode 00:00:00:00, in superclocks.
  private static func place(_ seconds: Double, in project: EditorProject) -> Int64 {
    Int64(project.startSample) * superclocks / Int64(project.sampleRate.hertz)
      + Int64((seconds * Double(superclocks)).rounded())
  }

  private static func route(
    _ name: String, id: String, playlist: String, order: Int, channels: Int,
    _ numbers: inout Numbers
  ) -> XMLElement {
    XMLElement(
      "Route",
      [
        "version": "7002", "id": id, "name": name, "default-type": "audio", "strict-io": "0",
        "active": "1", "audio-playlist": playlist, "mode": "Normal",
      ],
      [
        XMLElement("PresentationInfo", ["order": "\(order)", "flags": "AudioTrack,OrderSet"]),
        ports(of: name, "Input", channels: channels, to: nil, &numbers),
        ports(of: name, "Output", channels: 2, to: "Master/audio_in", &numbers),
        fader(&numbers),
      ])
  }

  private static func master(order: Int, _ numbers: inout Numbers) -> XMLElement {
    XMLElement(
      "Route",
      [
        "version": "7002", "id": numbers.next(), "name": "Master", "default-type": "audio",
        "strict-io": "1", "active": "1",
      ],
      [
        XMLElement("PresentationInfo", ["order": "\(order)", "flags": "MasterOut"]),
        ports(of: "Master", "Input", channels: 2, to: nil, &numbers),
        ports(of: "Master", "Output", channels: 2, to: "system:playback", &numbers),
        fader(&numbers),
      ])
  }

  private static func ports(
    of name: String, _ direction: String, channels: Int, to target: String?,
    _ numbers: inout Numbers
  ) -> XMLElement {
    let word = direction == "Input" ? "in" : "out"
    let ports = (1...channels).map { channel in
      let separator = target?.hasPrefix("system") == true ? "_" : " "
      return XMLElement(
        "Port", ["type": "audio", "name": "\(name)/audio_\(word) \(channel)"],
        target.map { [XMLElement("Connection", ["other": "\($0)\(separator)\(channel)"])] } ?? [])
    }
    return XMLElement(
      "IO",
      ["name": name, "id": numbers.next(), "direction": direction, "default-type": "audio"], ports)
  }

  private static func fader(_ numbers: inout Numbers) -> XMLElement {
    let gain = XMLElement(
      "Controllable",
      ["name": "gaincontrol", "id": numbers.next(), "flags": "GainLike", "value": "1"])
    return XMLElement(
      "Processor", ["id": numbers.next(), "name": "Amp", "active": "1", "type": "amp"], [gain])
  }

  /// 120 beats a minute in four fourths: Ardour has no session without.
  private static var tempoMap: XMLElement {
    let tempo = XMLElement(
      "Tempo",
      [
        "npm": "120", "enpm": "120", "note-type": "4", "type": "Tempo::Constant", "active": "1",
        "locked-to-meter": "0", "continuing": "0", "sclock": "0", "quarters": "0:0",
        "bbt": "1|1|0", "omega": "0",
      ])
    let meter = XMLElement(
      "Meter",
      [
        "note-value": "4", "divisions-per-bar": "4", "sclock": "0", "quarters": "0:0",
        "bbt": "1|1|0",
      ])
    return XMLElement(
      "TempoMap", ["superclocks-per-second": "\(superclocks)"],
      [
        XMLElement("Tempos", [:], [tempo]), XMLElement("Meters", [:], [meter]),
        XMLElement("MusicTimes"),
      ])
  }
}
