import AcousticScene
import FoundationEssentials
import Recording
import SoundFile
import Units

/// Holds a recorded file and its log against what is true of the card.
///
/// Frames outside gaps must be, one for one and in order, those that the card handed over, each
/// with the sound of its instant. Each gap of the log must be a loss of the truth, at its very place,
/// with a length within its bound; and each loss must be a gap.
struct TruthJudge {
  /// What the sound may be off by: the interpolator's and the 24 bits' error.
  static let tolerance = 2e-4
  /// A silent loss may be found so late, in frames at 48 kHz.
  static let patience: Int64 = 480_000

  struct Verdict {
    var complaints: [String] = []
    var frames: Int64 = 0
    var gaps = 0
    var lost: Int64 = 0
    var worstMisplacement: Int64 = 0
    /// Losses so late in the file that they need not have been found.
    var open = 0
  }

  let card: VirtualCard
  let truth: TruthLog
  private let handed: [Range<Int64>]

  init(card: VirtualCard, truth: TruthLog) {
    self.card = card
    self.truth = truth
    handed = truth.handed
  }

  /// Where the reading of the truth is.
  private struct Place {
    var run: Int
    var tick: Int64
  }

  /// Judges the file at `path` by its log's `entries`.
  func judge(path: String, entries: [TimingLogEntry]) throws -> Verdict {
    try judge(paths: [path], entries: entries)
  }

  /// Judges files that go on in one another; the entries' frames count from the first one's first.
  func judge(paths: [String], entries: [TimingLogEntry]) throws -> Verdict {
    var verdict = Verdict()
    let gaps = entries.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
      .sorted { $0.frame < $1.frame }
    let clocks = entries.compactMap { if case .clock(let clock) = $0 { clock } else { nil } }
    guard let first = clocks.first, first.frame == 0 else {
      verdict.complaints.append("the log has no entry for the first frame")
      return verdict
    }
    verdict.frames = try paths.reduce(0) { try $0 + SoundFileReader(path: $1).frames.value }
    verdict.gaps = gaps.count
    verdict.lost = gaps.reduce(0) { $0 + $1.frames }
    let host = TrueInstant(nanoseconds: first.host.nanoseconds)
    var walk = Walk(
      judge: self, tick0: Int64(card.crystal.count(at: host).rounded()), gaps: gaps,
      frames: verdict.frames,
      allowed: 1 + first.cardBoundNanoseconds * Int64(card.rate) / 1_000_000_000)
    walk.stops = entries.compactMap { if case .stop(let stop) = $0 { stop } else { nil } }
    for path in paths {
      var reader = try SoundFileReader(path: path)
      while true {
        let samples = try reader.read(frames: 48_000)
        if samples.isEmpty { break }
        walk.take(samples, channels: reader.channels)
      }
    }
    walk.finish()
    verdict.complaints += walk.complaints
    verdict.worstMisplacement = walk.worst
    verdict.open = walk.open.count
    return verdict
  }

  /// Goes through the file, frame by frame.
  private struct Walk {
    /// At the ends of what was handed over together so many frames are judged, else one of so many.
    static let edge: Int64 = 100
    static let stride: Int64 = 16

    let judge: TruthJudge
    let tick0: Int64
    /// Where a stream began anew without a gap.
    var stops: [TimingLogStop] = []
    /// Gaps that touch, together.
    var groups: [[TimingLogGap]] = []
    let frames: Int64
    var frame: Int64 = 0
    var place: Place?
    var head: [Double] = []
    var complaints: [String] = []
    var worst: Int64 = 0
    /// The sum of all bounds so far: by so much the file may be off.
    var allowed: Int64
    /// Losses that have passed and are not made up for yet.
    var open: [(frame: Int64, frames: Int64)] = []
    var mismatches = 0
    var lastGap: [TimingLogGap] = []

    init(
      judge: TruthJudge, tick0: Int64, gaps: [TimingLogGap], frames: Int64, allowed: Int64
    ) {
      self.allowed = allowed
      self.judge = judge
      self.tick0 = tick0
      self.frames = frames
      for gap in gaps {
        if let last = groups.last?.last, last.frame + last.frames == gap.frame {
          groups[groups.count - 1].append(gap)
        } else {
          groups.append([gap])
        }
      }
    }

    mutating func complain(_ text: String) {
      if complaints.count < 20 { complaints.append("frame \(frame): \(text)") }
    }

    mutating func take(_ samples: [Double], channels: Int) {
      let count = samples.count / channels
      var at = 0
      while at < count {
        let unjudged = min(unjudged, count - at)
        if unjudged > 0 {
          place?.tick += Int64(unjudged)
        } else {
          step(samples[at * channels])
        }
        at += max(1, unjudged)
        frame += Int64(max(1, unjudged))
      }
    }

    /// How many of the next frames are sound that is not looked at.
    private var unjudged: Int {
      guard let at = place else { return 0 }
      let run = judge.handed[at.run]
      guard at.tick - run.lowerBound >= Self.edge else { return 0 }
      let gap = groups.first?.first.map { $0.frame - frame } ?? .max
      let next = (Self.stride - at.tick % Self.stride) % Self.stride
      return Int(max(0, min(gap, next, run.upperBound - Self.edge - at.tick)))
    }

    private mutating func step(_ sample: Double) {
      if let group = groups.first, let start = group.first?.frame, frame >= start {
        if sample != 0 { mismatch("a gap is not silent") }
        if let last = group.last, frame == last.frame + last.frames - 1 { close(group) }
        return
      }
      guard place != nil else {
        head.append(sample)
        if head.count == 2400 { begin() }
        return
      }
      check(sample)
    }

    private mutating func mismatch(_ text: String) {
      mismatches += 1
      if mismatches <= 3 { complain(text) }
    }

    private mutating func check(_ sample: Double) {
      guard var at = place else { return }
      if at.tick >= judge.handed[at.run].upperBound, at.run + 1 < judge.handed.count {
        let next = judge.handed[at.run + 1].lowerBound
        if let stop = stops.first(where: { $0.frame == frame }), next - at.tick <= stop.boundFrames
        {
          allowed += stop.boundFrames
        } else {
          // A loss that is no gap of ours, so far: it must be found yet.
          open.append((frame, next - at.tick))
        }
        at = Place(run: at.run + 1, tick: next)
      }
      if isJudged(at) {
        let truth = judge.card.sound(at: at.tick)
        if abs(sample - truth) > TruthJudge.tolerance {
          let run = judge.handed[at.run]
          mismatch(
            "the sound is \(sample), not \(truth), at tick \(at.tick) of \(run.lowerBound) to "
              + "\(run.upperBound); the last gap was \(lastGap), open are \(open)")
        }
      }
      let off = frame + tick0 - at.tick + open.reduce(0) { $0 + $1.frames }
      worst = max(worst, abs(off))
      if abs(off) > allowed { mismatch("the sound lies \(off) frames off, not \(allowed)") }
      at.tick += 1
      place = at
    }

    /// Every frame at the ends of what was handed over together, else one of sixteen.
    private func isJudged(_ at: Place) -> Bool {
      let run = judge.handed[at.run]
      return at.tick % Self.stride == 0 || at.tick - run.lowerBound < Self.edge
        || run.upperBound - at.tick < Self.edge
    }

    /// Finds by the sound where in the truth the file begins.
    private mutating func begin() {
      let start = frame + tick0 - Int64(head.count - 1)
      var best = (error: Double.infinity, tick: start, hole: Int64(0))
      for hole in [0] + holes(near: start) {
        for shift in -(allowed + 60)...(allowed + 60) {
          let tick = start + shift + hole
          let error = miss(from: tick)
          if error < best.error { best = (error, tick, hole) }
        }
      }
      guard let run = judge.handed.firstIndex(where: { $0.contains(best.tick) }) else {
        return complain("the first sound is of no frame that was handed over: \(best)")
      }
      place = Place(run: run, tick: best.tick)
      frame -= Int64(head.count - 1)
      if best.hole > 0 { open.append((frame, best.hole)) }
      for sample in head {
        check(sample)
        frame += 1
      }
      frame -= 1
      head = []
    }

    /// How far the first frames are from the sound of those that were handed over from `tick` on.
    private func miss(from tick: Int64) -> Double {
      guard var run = judge.handed.firstIndex(where: { $0.contains(tick) }) else {
        return .infinity
      }
      var (at, sum) = (tick, 0.0)
      for sample in head.prefix(480) {
        if at >= judge.handed[run].upperBound, run + 1 < judge.handed.count {
          run += 1
          at = judge.handed[run].lowerBound
        }
        let miss = sample - judge.card.sound(at: at)
        sum += miss * miss
        at += 1
      }
      return sum
    }

    /// Losses about the first frame, which it may come before or after.
    private func holes(near tick: Int64) -> [Int64] {
      zip(judge.handed, judge.handed.dropFirst())
        .filter { abs($0.0.upperBound - tick) < 200 }.map { $0.1.lowerBound - $0.0.upperBound }
    }

    private mutating func close(_ group: [TimingLogGap]) {
      groups.removeFirst()
      lastGap = group
      allowed += group.reduce(0) { $0 + $1.boundFrames }
      guard place != nil else { return }
      let silent = group.filter { $0.cause == StreamGap.Cause.silentLoss.word }
      if !silent.isEmpty { settleSilent(silent) }
      let others = group.filter { $0.cause != StreamGap.Cause.silentLoss.word }
      if !others.isEmpty { settle(others) }
    }

    /// Silence stands where frames were lost: behind the last one that was handed over before.
    private mutating func settle(_ group: [TimingLogGap]) {
      guard let at = place else { return }
      let ours = group.reduce(0) { $0 + $1.frames }
      let bound = group.reduce(0) { $0 + $1.boundFrames }
      let run = judge.handed[at.run]
      // The card did not come back before the end.
      if at.tick == run.upperBound, at.run + 1 == judge.handed.count, frame + 1 == frames { return }
      guard at.tick == run.upperBound, at.run + 1 < judge.handed.count else {
        return complain("\(group) is no loss of the truth at \(at.tick) of \(run); open: \(open)")
      }
      let next = judge.handed[at.run + 1].lowerBound
      // An inferred length makes up for what was not found yet besides.
      let besides = bound > 0 ? open.reduce(0) { $0 + $1.frames } : 0
      let lost = next - at.tick + besides
      if frame + 1 < frames, abs(ours - lost) > bound {
        complain("\(group) is a loss of \(lost) frames, \(besides) of them before")
      }
      if bound > 0 { open = [] }
      place = Place(run: at.run + 1, tick: next)
    }

    /// A loss that was found late, by its interval.
    private mutating func settleSilent(_ group: [TimingLogGap]) {
      let ours = group.reduce(0) { $0 + $1.frames }
      let bound = group.reduce(0) { $0 + $1.boundFrames }
      let from = group.compactMap(\.lostFrom).min() ?? frame
      let to = group.compactMap(\.lostTo).max() ?? frame
      // The log counts in the file's frames, the pointer in steps of a packet.
      let within = open.filter { $0.frame >= from - 50 && $0.frame <= to + 50 }
      let lost = within.reduce(0) { $0 + $1.frames }
      if within.isEmpty || abs(ours - lost) > bound {
        complain("\(group) is a loss of \(lost) frames; open are \(open)")
      }
      open.removeAll { $0.frame >= from - 50 && $0.frame <= to + 50 }
    }

    mutating func finish() {
      if place == nil, !head.isEmpty { begin() }
      let late = open.filter { frame - $0.frame > TruthJudge.patience }
      if !late.isEmpty { complain("never found: \(late)") }
      if !groups.isEmpty, mismatches == 0 { complain("gaps beyond the end: \(groups)") }
    }
  }
}
