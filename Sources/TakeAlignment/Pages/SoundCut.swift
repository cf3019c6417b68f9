internal import Alignment
internal import Glibc
internal import Units

/// Pieces of a raw file as they lie on the timeline, for pictures; what is rendered goes through a
/// better filter.
struct SoundCut {
  private let subject: TakeAligner.CheckSubject
  private let sound: FileSound
  /// Frames of the file to one of the timeline, by nominal rates.
  private let ratio: Double
  /// The timeline's frames at which the file begins and ends.
  let range: ClosedRange<Double>

  /// Samples that the filter reaches to each side.
  private static let reach = 16

  /// Opens a file's loudest channel; nothing where it is silent.
  init?(_ subject: TakeAligner.CheckSubject, rate: SampleRate) throws(AlignmentError) {
    let input = try SoundInput(TakeAligner.Input(path: subject.path, name: subject.name))
    guard !input.isSilent else { return nil }
    self.subject = subject
    sound = input.sound
    ratio = subject.hertz / Double(rate.hertz)
    let first = subject.timelineFrame(of: 0)
    range = first...max(first, subject.timelineFrame(of: Double(subject.frames)))
  }

  /// How a file is laid onto the timeline.
  enum Way {
    /// As aligned.
    case after
    /// Where it begins, and then at its nominal rate: as an editor lays it down.
    case before
  }

  /// By how many of the timeline's frames the two ways differ at `frame`.
  func apart(at frame: Double) -> Double {
    (own(at: frame, .after) - own(at: frame, .before)) / ratio
  }

  /// `count` samples at the timeline's frames from `frame` on.
  func samples(from frame: Double, count: Int, _ way: Way) throws(AlignmentError) -> [Double] {
    let places = (0..<count).map { own(at: frame + Double($0), way) }
    guard let low = places.min(), let high = places.max() else { return [] }
    let first = Int64(low.rounded(.down)) - Int64(Self.reach)
    let raw: [Float]
    do {
      raw = try sound.samples(at: first, count: Int(high - low) + 2 * Self.reach + 4)
    } catch {
      throw .unreadable(file: subject.path, reason: error.description)
    }
    return places.map { Self.value(of: raw, at: $0 - Double(first)) }
  }

  /// The file's frame at a frame of the timeline.
  private func own(at frame: Double, _ way: Way) -> Double {
    switch way {
    case .after: subject.edits.raw(subject.course.ownFrame(at: frame))
    case .before: (frame - range.lowerBound) * ratio
    }
  }

  private static func value(of raw: [Float], at place: Double) -> Double {
    let whole = Int(place)
    let part = place - Double(whole)
    // The sine is the same at all taps but for its sign, and the window's angle grows evenly.
    let sine = sin(.pi * part) / .pi
    let turn = Double.pi / Double(reach + 1)
    var angle = (
      cos: cos(turn * (part + Double(reach - 1))), sin: sin(turn * (part + Double(reach - 1)))
    )
    let (stepCos, stepSin) = (cos(turn), -sin(turn))
    var sum = 0.0
    for tap in whole - reach + 1...whole + reach {
      if raw.indices.contains(tap) {
        let x = place - Double(tap)
        let sign = (tap - whole) % 2 == 0 ? 1.0 : -1.0
        let sinc = abs(x) < 1e-9 ? 1 : sign * sine / x
        sum += Double(raw[tap]) * sinc * (0.5 + 0.5 * angle.cos)
      }
      angle = (
        angle.cos * stepCos - angle.sin * stepSin, angle.cos * stepSin + angle.sin * stepCos
      )
    }
    return sum
  }
}
