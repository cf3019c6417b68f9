internal import Units

/// Paints one round of a scene, sound by sound, onto samples whose end meets their beginning.
struct ScenePainter {
  private var canvas: [Double]
  private var generator: SeededGenerator
  private let rate: Double

  init(seed: UInt64, count: Int, rateHertz: Int) {
    canvas = [Double](repeating: 0, count: count)
    generator = SeededGenerator(seed: seed)
    rate = Double(rateHertz)
  }

  /// Soft noise, -40 dBFS, falling towards the treble: wind and a road far off.
  mutating func addAmbience() {
    let noise = canvas.indices.map { _ in generator.nextUnit() * 2 - 1 }
    var state = 0.0
    // Twice round, the first to warm the filter up: so the end meets the beginning.
    for round in 0..<2 {
      for place in noise.indices {
        state += 0.35 * (noise[place] - state)
        if round == 1 { canvas[place] += 0.038 * state }
      }
    }
  }

  /// Syllables of noise through two resonances that change with each, about four a second.
  mutating func addSpeech() {
    var start = 0
    while start < canvas.count {
      let length = Int((0.12 + 0.2 * generator.nextUnit()) * rate)
      let level = 0.03 + 0.05 * generator.nextUnit()
      addSyllable(at: start, length: min(length, canvas.count - start), level: level)
      start += length + Int((0.02 + 0.15 * generator.nextUnit()) * rate)
    }
  }

  private mutating func addSyllable(at start: Int, length: Int, level: Double) {
    var low = Resonance(hertz: 300 + 600 * generator.nextUnit(), widthHertz: 120, rate: rate)
    var high = Resonance(hertz: 1_200 + 1_600 * generator.nextUnit(), widthHertz: 250, rate: rate)
    for step in 0..<length {
      let breath = generator.nextUnit() * 2 - 1
      let swell = 0.5 - 0.5 * Turn.cosine(Double(step) / Double(length))
      let voice = low.pass(breath) + 0.6 * high.pass(breath) + 0.15 * breath
      canvas[start + step] += level * swell * voice
    }
  }

  /// A tone that climbs from 200 Hz to 8 kHz over a quarter of the round, -20 dBFS.
  mutating func addSweep() {
    let length = canvas.count / 4
    let start = canvas.count / 3
    // The natural logarithm of 40, the ratio that is climbed.
    let growth = 1 + 3.688_879_454 / Double(length)
    var hertz = 200.0
    var turns = 0.0
    for step in 0..<length {
      let edge = min(1, Double(min(step, length - step)) / (0.05 * rate))
      canvas[start + step] += 0.1 * edge * Turn.sine(turns)
      turns += hertz / rate
      turns -= turns.rounded(.down)
      hertz *= growth
    }
  }

  /// Bursts that die within 60 ms, one or two a second, never evenly spaced.
  mutating func addClaps() {
    var start = Int(0.2 * rate)
    while start + Int(0.06 * rate) < canvas.count {
      var level = 0.2 + 0.25 * generator.nextUnit()
      for step in 0..<Int(0.06 * rate) {
        canvas[start + step] += level * (generator.nextUnit() * 2 - 1)
        level *= 1 - 80 / rate
      }
      start += Int((0.45 + 0.7 * generator.nextUnit()) * rate)
    }
  }

  /// The round without what lies above a third of the rate, within ±0.9.
  func finished() -> [Float] {
    let taps = Self.lowPass(half: 16)
    let count = canvas.count
    var smooth = [Double](repeating: 0, count: count)
    for place in 0..<count {
      var sum = taps[0] * canvas[place]
      for step in 1..<taps.count {
        let before = place >= step ? place - step : place - step + count
        let after = place + step < count ? place + step : place + step - count
        sum += taps[step] * (canvas[before] + canvas[after])
      }
      smooth[place] = sum
    }
    let peak = smooth.reduce(0) { max($0, $1.magnitude) }
    let scale = peak > 0.9 ? 0.9 / peak : 1
    return smooth.map { Float($0 * scale) }
  }

  /// One side of a symmetric low pass at 0.22 of the rate, Blackman's window.
  private static func lowPass(half: Int) -> [Double] {
    (0...half).map { step in
      let along = Double(step) / Double(half + 1)
      let window = 0.42 + 0.5 * Turn.cosine(along / 2) + 0.08 * Turn.cosine(along)
      let sinc = step == 0 ? 0.44 : Turn.sine(0.22 * Double(step)) / (Double.pi * Double(step))
      return sinc * window
    }
  }
}

/// A resonance of two poles, of about unit gain at its peak.
private struct Resonance {
  private let first: Double
  private let second: Double
  private let gain: Double
  private var before = 0.0
  private var beforeThat = 0.0

  init(hertz: Double, widthHertz: Double, rate: Double) {
    let radius = 1 - Double.pi * widthHertz / rate
    first = 2 * radius * Turn.cosine(hertz / rate)
    second = -radius * radius
    gain = (1 - radius) * 4
  }

  mutating func pass(_ input: Double) -> Double {
    let output = gain * input + first * before + second * beforeThat
    beforeThat = before
    before = output
    return output
  }
}
