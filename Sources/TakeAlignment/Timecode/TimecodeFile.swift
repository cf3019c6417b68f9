internal import BroadcastWave
internal import Units

/// A file that tells when it was recorded by timecode alone: another recorder's, as a rule.
struct TimecodeFile: Sendable {
  let path: String
  /// What it is called in the report.
  let name: String
  let wave: WaveReader
  let stamp: TimecodeStamp

  /// What two crystals may be apart, in parts: timecode tells no drift.
  static let crystals = 50e-6

  var hertz: Double { Double(wave.format.sampleRate.hertz) }
  /// How long it lasts at its nominal rate, in seconds.
  var length: Double { Double(wave.frames) / hertz }

  /// Reads the header of a sound file.
  init(_ input: TakeAligner.Input) throws(AlignmentError) {
    path = input.path
    name = input.name
    let file = try InputFile(path: path)
    do {
      wave = try file.wave()
    } catch {
      throw .unreadable(file: path, reason: error.description)
    }
    guard let stamp = TimecodeStamp(wave) else {
      throw .noTimingLog(file: path, log: TimingLogFile.path(ofSound: path))
    }
    self.stamp = stamp
  }

  /// How far the truth may lie from the place anywhere in the file, in seconds: a frame, since
  /// recorders that were set by the same timecode begin anywhere in one, and what crystals drift.
  var boundSeconds: Double { stamp.frameSeconds + Self.crystals * length }

  /// The width of its samples where they are integers.
  var integerBits: Int? {
    let encoding = wave.format.encoding
    return encoding == .float32 ? nil : encoding.bits
  }

  /// What it is called: the track's name where it has one, else the file's.
  var label: String { FilePath.soundStem(name) }
}
