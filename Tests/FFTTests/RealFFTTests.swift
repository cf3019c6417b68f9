import FFT
import TestLanes
import Testing
import Units

@Suite("Spectra", .computing)
struct RealFFTTests {
  @Test("a spectrum is the sum that defines it", arguments: [2, 6, 64, 300])
  func definition(count: Int) {
    var generator = SeededGenerator(seed: 5)
    let samples = (0..<count).map { _ in Float(generator.nextUnit() - 0.5) }
    let spectrum = RealFFT(count: count).spectrum(of: samples)
    #expect(spectrum.count == count / 2 + 1)
    for bin in spectrum.indices {
      var (real, imaginary) = (0.0, 0.0)
      for place in samples.indices {
        let angle = 2 * Double.pi * Double(bin * place % count) / Double(count)
        real += Double(samples[place]) * Elementary.cos(angle)
        imaginary -= Double(samples[place]) * Elementary.sin(angle)
      }
      #expect(abs(Double(spectrum[bin].x) - real) < 1e-4)
      #expect(abs(Double(spectrum[bin].y) - imaginary) < 1e-4)
    }
  }

  @Test("there and back is the identity")
  func inverse() {
    var generator = SeededGenerator(seed: 6)
    let samples = (0..<1024).map { _ in Float(generator.nextUnit() - 0.5) }
    let transform = RealFFT(count: 1024)
    let back = transform.sequence(of: transform.spectrum(of: samples))
    #expect(zip(samples, back).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("the halves of Hann's window add up to 1")
  func window() {
    let window = HannWindow.samples(64)
    #expect((0..<32).allSatisfy { abs(window[$0] + window[$0 + 32] - 1) < 1e-6 })
  }
}
