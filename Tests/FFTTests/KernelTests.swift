import FFT
import Glibc
import TestLanes
import Testing
import Units

@Suite("What is done to many samples at once", .computing)
struct KernelTests {
  @Test("the reference is the sum that defines a spectrum", arguments: [2, 6, 64, 300])
  func definition(count: Int) {
    var generator = SeededGenerator(seed: 5)
    let samples = (0..<count).map { _ in Float(generator.nextUnit() - 0.5) }
    let spectrum = PlainTransform.spectrum(of: samples)
    #expect(spectrum.count == count / 2 + 1)
    for bin in spectrum.indices {
      var (real, imaginary) = (0.0, 0.0)
      for place in samples.indices {
        let angle = 2 * Double.pi * Double(bin * place % count) / Double(count)
        real += Double(samples[place]) * cos(angle)
        imaginary -= Double(samples[place]) * sin(angle)
      }
      #expect(abs(Double(spectrum[bin].x) - real) < 1e-5)
      #expect(abs(Double(spectrum[bin].y) - imaginary) < 1e-5)
    }
  }

  @Test("the halves of Hann's window add up to 1")
  func window() {
    let window = HannWindow.samples(64)
    #expect((0..<32).allSatisfy { abs(window[$0] + window[$0 + 32] - 1) < 1e-6 })
  }

  @Test("integers of any width become numbers and bytes again", arguments: [2, 3, 4])
  func integers(width: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    let edges: [Int32] = [0, 1, -1, .max, .min]
    let words =
      (edges + (0..<95).map { _ in Int32(truncatingIfNeeded: generator.next()) })
      .map { $0 >> Int32(32 - 8 * width) }
    let bytes = words.flatMap { word in
      (0..<width).map { UInt8(truncatingIfNeeded: word >> Int32(8 * $0)) }
    }
    let full = Double(1 << (8 * width - 1))
    #expect(
      PackedSamples.doubles(of: bytes + [7], width: width) == words.map { Double($0) / full })
    #expect(
      PackedSamples.floats(of: bytes, width: width) == words.map { Float($0) / Float(full) })
    if width == 3 { #expect(PackedSamples.bytes24(of: words) == bytes) }
  }

  @Test("dither spans a step to each side, in a triangle; what is beyond full scale is told")
  func dither() {
    let (steps, level) = (128.0, 3.25)
    let count = 100_000
    let made = PackedSamples.dithered(
      [Double](repeating: level / steps, count: count), steps: steps, state: 9)
    let errors = made.words.map { Double($0) - level }
    let mean = errors.reduce(0, +) / Double(count)
    let square = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
    #expect(abs(mean) < 0.01, "\(mean)")
    // Rounding's twelfth and the dither's sixth, whatever the level.
    #expect(abs(square - 0.25) < 0.01, "\(square)")
    #expect(Set(made.words) == [2, 3, 4] && made.clipped == 0)
    let loud = PackedSamples.dithered([1.5, -1.5, 1, -1], steps: steps, state: 1)
    #expect(loud.words[0] == 127 && loud.words[1] == -128 && loud.clipped == 2)
    let again = PackedSamples.dithered([level / steps, 0], steps: steps, state: 9)
    #expect(again.words[0] == made.words[0])
  }

  @Test("a course is what a level counts with, less the mean around; what is level is nothing")
  func course() {
    var generator = SeededGenerator(seed: 4)
    let count = 5003
    let levels = (0..<count).map { _ in UInt8(generator.next() % 200) }
    let table = (0..<256).map { Int32($0 * 613) }
    let range = 17..<4990
    var output = [Float](repeating: 9, count: 5100)
    LevelCourse.write(
      5..<4970, of: levels, in: range, table: table, to: &output, at: 40)
    for frame in stride(from: 5, to: 4970, by: 7) {
      let around = max(0, frame - LevelCourse.half)..<min(range.count, frame + LevelCourse.half + 1)
      let sum = around.reduce(0.0) { $0 + Double(table[Int(levels[17 + $1])]) }
      let wanted = (Double(table[Int(levels[17 + frame])]) - sum / Double(around.count)) / 4096
      #expect(abs(Double(output[40 + frame - 5]) - wanted) < 1e-4, "frame \(frame)")
    }
    #expect(output[39] == 9 && output[40 + 4965] == 9)
    let still = [UInt8](repeating: 255, count: count)
    LevelCourse.write(0..<count, of: still, in: 0..<count, table: table, to: &output, at: 0)
    #expect(output[..<count].allSatisfy { $0 == 0 })
  }

  @Test("a stretched window hears each sample where it lies", arguments: [115e-6, -115e-6, 3e-4])
  func stretch(slope: Double) {
    let (count, margin) = (32_768, 12)
    func tone(_ place: Double) -> Double { sin(0.3 * place) + 0.5 * cos(0.011 * place) }
    let sound = (0..<count + 2 * margin).map { Float(tone(Double($0 - margin))) }
    let shape = (0..<count).map { Float(1 + $0 % 3) }
    var output = [Float](repeating: 0, count: count + 5)
    SampleSums.shape(sound, margin: margin, stretchedBy: slope, by: shape, to: &output, at: 5)
    var worst = 0.0
    for place in 0..<count {
      let wanted = tone(Double(place) + slope * Double(place - count / 2)) * Double(shape[place])
      worst = max(worst, abs(Double(output[place + 5]) - wanted))
    }
    #expect(worst < 2e-3, "\(worst)")
  }

  @Test("a moving mean, sums and squares are what their words say")
  func means() {
    let values = (0..<1000).map { Float(($0 * 37) % 101) }
    let smooth = SampleSums.smoothed(values, over: 32)
    for place in [0, 5, 16, 500, 990, 999] {
      let around = max(0, place - 16)..<min(1000, place + 16)
      let wanted = around.reduce(0.0) { $0 + Double(values[$1]) } / 32
      #expect(abs(Double(smooth[place]) - wanted) < 1e-3, "at \(place)")
    }
    let (sum, squares) = SampleSums.moments(of: values, in: 3..<999)
    #expect(sum == (3..<999).reduce(0.0) { $0 + Double(values[$1]) })
    #expect(squares == (3..<999).reduce(0.0) { $0 + Double(values[$1] * values[$1]) })
  }
}
