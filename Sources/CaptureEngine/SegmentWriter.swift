internal import BroadcastWave
internal import FoundationEssentials
internal import Recording
internal import Units

/// One segment of a recording: its sound file, or one for each track, and a timing log beside each.
final class SegmentWriter {
  /// Counted from 1.
  let number: Int
  /// The frame of the whole recording that it begins with.
  let firstFrame: Int64
  let files: [TakeSummary.File]
  let timingLogs: [String]
  /// The most frames that it may hold; nothing: no limit.
  let limit: Int64?
  private let folder: String
  private let sounds: [SoundWriter]
  private let logs: [TimingLogWriter]
  private let encoding: SampleEncoding
  private let settings: FileSettings

  /// Opens the files in `folder`.
  ///
  /// - Parameters:
  ///   - format: of the recording, all tracks counted.
  ///   - describe: what a file of so many channels says of itself; the track is the recorder's
  ///     channel where each has a file of its own.
  init(
    number: Int, firstFrame: Int64, folder: String, names: TakeNames, format: WaveFormat,
    settings: FileSettings,
    describe: (_ track: Int?, _ format: WaveFormat, _ name: String) -> FileDescription
  ) throws(CaptureError) {
    self.number = number
    self.firstFrame = firstFrame
    self.settings = settings
    self.folder = folder
    encoding = format.encoding
    let tracks = settings.isMono && format.channels > 1 ? (1...format.channels).map { $0 } : [nil]
    let one = WaveFormat(
      sampleRate: format.sampleRate, channels: tracks.count > 1 ? 1 : format.channels,
      encoding: format.encoding)
    var sounds: [SoundWriter] = []
    var logs: [TimingLogWriter] = []
    var files: [TakeSummary.File] = []
    for track in tracks {
      var description = describe(track, one, names.sound(segment: number, track: track))
      description.segment = number
      description.firstFrame = firstFrame
      description.track = track
      description.isPlain = settings.isPlain
      sounds.append(
        try SoundWriter(
          path: folder + "/" + description.fileName, description: description,
          measuresLoudness: settings.measuresLoudness))
      logs.append(
        try TimingLogWriter(path: folder + "/" + names.timingLog(segment: number, track: track)))
      files.append(
        TakeSummary.File(
          name: description.fileName, segment: number, track: track, firstFrame: firstFrame,
          frames: 0))
    }
    self.sounds = sounds
    self.logs = logs
    self.files = files
    timingLogs = tracks.map { names.timingLog(segment: number, track: $0) }
    limit = settings.mostFrames(format: one, headerBytes: sounds[0].headerBytes)
  }

  var frames: Int64 { sounds[0].frames }

  /// The frames that there is room for.
  var room: Int64 { limit.map { max(0, $0 - frames) } ?? .max }

  /// Puts whole frames of all tracks behind those that are there.
  func append(_ bytes: [UInt8]) throws(CaptureError) {
    if sounds.count == 1 { return try sounds[0].append(bytes) }
    for (channel, sound) in sounds.enumerated() {
      try sound.append(encoding.channel(channel, of: sounds.count, in: bytes))
    }
  }

  /// Makes last what was written, evidence and all.
  func keepTrue() throws(CaptureError) {
    for sound in sounds { try sound.keepTrue() }
    for log in logs { try log.synchronize() }
  }

  /// Writes each log's first line, and makes the names of all files last.
  func write(headers: (_ place: Int) -> TimingLogHeader) throws(CaptureError) {
    for (place, log) in logs.enumerated() {
      try log.write(.header(headers(place)))
      try log.synchronize()
    }
    try OutputFile.synchronizeFolder(of: folder + "/")
  }

  func write(_ entry: TimingLogEntry) throws(CaptureError) {
    for log in logs { try log.write(entry) }
  }

  /// Closes the sound files.
  ///
  /// - Returns: how many markers did not fit.
  func finishSounds(cues: [CuePoint], state: FileState) throws(CaptureError) -> Int {
    var missing = 0
    for sound in sounds {
      missing = max(
        missing,
        try sound.finish(cues: cues, state: state, trailerLimit: settings.trailerLimit))
    }
    return missing
  }

  /// Takes all files away again: the logs first, since a log without sound is nobody's.
  func discard() throws(CaptureError) {
    for log in logs { try log.discard() }
    for sound in sounds { try sound.discard() }
    try OutputFile.synchronizeFolder(of: folder + "/")
  }

  func finishLogs() throws(CaptureError) {
    for log in logs { try log.finish() }
  }

  /// The files as they are now.
  var closedFiles: [TakeSummary.File] {
    files.map { file in
      var file = file
      file.frames = frames
      return file
    }
  }
}
