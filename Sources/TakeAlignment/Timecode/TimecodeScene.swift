internal import Alignment
internal import BroadcastWave
internal import Units

/// Files on one timeline by their timecode.
///
/// Nothing is known of their crystals, so each is laid down at its nominal rate: right to a frame
/// at its beginning, if all recorders were set by one timecode.
struct TimecodeScene {
  /// A file, and where it lies.
  struct Entry {
    let file: TimecodeFile
    /// Seconds after the timeline's first frame.
    let start: Double
    /// Why it has no place, in words, or nothing.
    let refusal: String?

    var isPlaced: Bool { refusal == nil }
    var end: Double { start + file.length }
  }

  let entries: [Entry]
  let sampleRate: SampleRate
  /// Frames of the timeline.
  let count: Int64
  /// Seconds from a frame of the timeline to the next.
  let frameSeconds: Double
  /// Samples from timecode zero to the timeline's first frame.
  let timeReference: UInt64
  let frameRate: FrameRate

  /// Segments of a recorder follow each other without a gap; more than this apart, in seconds, is
  /// another take.
  static let seam = 2.0

  /// Lays `files` onto a timeline of their own. Its frames are those of number `reference`, or of
  /// the highest rate that has a place; it begins with the first of them.
  init(_ files: [TimecodeFile], reference: Int?) {
    let measure = reference ?? Self.commonest(files)
    let chosen = files[measure].stamp
    let starts = files.map { Self.apart($0.stamp, chosen) }
    var refusals: [String?] = files.map { file in
      Self.clash(file.stamp, with: chosen, of: files[measure].name)
    }
    let group = Self.group(of: measure, starts: starts, files: files, refusals: refusals)
    for place in files.indices where refusals[place] == nil && !group.contains(place) {
      refusals[place] =
        "it begins at \(files[place].stamp.label), when none of the others sounds; align it with "
        + "those of its own time"
    }
    let placed = files.indices.filter { refusals[$0] == nil }
    let hertz =
      reference.map { files[$0].wave.format.sampleRate.hertz }
      ?? placed.map { files[$0].wave.format.sampleRate.hertz }.max() ?? chosen.hertz
    let rate = Double(hertz)
    let first = placed.map { starts[$0] }.min() ?? 0
    // The timeline's frames are whole samples since timecode zero, so that files of its own rate
    // need no resampling.
    let zero = ((chosen.seconds + first) * rate + 1e-4).rounded(.down)
    let origin = zero / rate - chosen.seconds
    entries = files.indices.map { place in
      Entry(file: files[place], start: starts[place] - origin, refusal: refusals[place])
    }
    let end = entries.filter(\.isPlaced).map(\.end).max() ?? 0
    sampleRate = SampleRate(hertz: hertz)
    count = Int64((end * rate - 1e-4).rounded(.up))
    frameSeconds = 1 / rate
    frameRate = chosen.frameRate ?? .fps25
    let day = (chosen.daySeconds * rate).rounded()
    timeReference = UInt64(zero < 0 ? zero + day : zero >= day ? zero - day : zero)
  }

  /// Lays `files` onto a timeline that there is, which begins `timeReference` samples after
  /// timecode zero.
  init(
    _ files: [TimecodeFile], on timeline: Timeline, timeReference: UInt64, frameRate: FrameRate
  ) {
    let rate = Double(timeline.sampleRate.hertz)
    let frameSeconds = timeline.frameNanoseconds * 1e-9
    let length = Double(timeline.count) * frameSeconds
    entries = files.map { file in
      let start = Self.wrapped(
        file.stamp.seconds - Double(timeReference) / rate, day: file.stamp.daySeconds)
      var refusal = Self.clash(file.stamp, rate: frameRate, of: "the take")
      if refusal == nil, start >= length || start + file.length <= 0 {
        refusal = "it begins at \(file.stamp.label), and the take does not sound then"
      }
      return Entry(file: file, start: start, refusal: refusal)
    }
    sampleRate = timeline.sampleRate
    count = timeline.count
    self.frameSeconds = frameSeconds
    self.timeReference = timeReference
    self.frameRate = frameRate
  }

  /// How an entry is laid onto the timeline.
  func course(of entry: Entry) -> RenderCourse {
    let hertz = entry.file.hertz
    let first = -entry.start * hertz
    return .line(
      Placement(
        start: abs(first - first.rounded()) < 1e-4 ? first.rounded() : first,
        step: hertz * frameSeconds, count: count))
  }
}

extension TimecodeScene {
  /// The first file whose rate most others share.
  private static func commonest(_ files: [TimecodeFile]) -> Int {
    let kin = files.map { one in
      files.count { other in
        one.stamp.frameRate != nil && one.stamp.frameRate == other.stamp.frameRate
      }
    }
    let most = kin.max() ?? 0
    return kin.firstIndex(of: most) ?? 0
  }

  /// By how many seconds `one` begins after `other`, at most half a day.
  private static func apart(_ one: TimecodeStamp, _ other: TimecodeStamp) -> Double {
    wrapped(one.seconds - other.seconds, day: other.daySeconds)
  }

  private static func wrapped(_ seconds: Double, day: Double) -> Double {
    seconds - day * (seconds / day).rounded()
  }

  /// Why a stamp cannot be held against another, or nothing.
  private static func clash(
    _ stamp: TimecodeStamp, with other: TimecodeStamp, of name: String
  ) -> String? {
    other.frameRate.flatMap { clash(stamp, rate: $0, of: "\"\(name)\"") }
  }

  private static func clash(_ stamp: TimecodeStamp, rate: FrameRate, of name: String) -> String? {
    guard let own = stamp.frameRate, !TimecodeStamp.agree(own, rate) else { return nil }
    return "its timecode counts at \(own.name), that of \(name) at \(rate.name): equal labels are "
      + "not equal times; try --by sound"
  }

  /// The files that sound with number `root`, or with one that does, and so on.
  private static func group(
    of root: Int, starts: [Double], files: [TimecodeFile], refusals: [String?]
  ) -> Set<Int> {
    let order = files.indices.filter { refusals[$0] == nil }.sorted { starts[$0] < starts[$1] }
    var groups: [[Int]] = []
    var end = -Double.infinity
    for place in order {
      if starts[place] > end + seam { groups.append([]) }
      groups[groups.count - 1].append(place)
      end = max(end, starts[place] + files[place].length)
    }
    return Set(groups.first { $0.contains(root) } ?? [])
  }
}
