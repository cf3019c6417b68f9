import FFT
import TestLanes
import Testing
import Units

@Suite("Eight transforms at once", .computing)
struct BatchFFTTests {
  private static func noise(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float(generator.nextUnit() - 0.5) }
  }

  @Test(
    "each lane is what one transform gives, and comes back",
    arguments: [32, 64, 128, 512, 2048, 32_768])
  func lanes(count: Int) {
    let sound = Self.noise(BatchFFT.lanes * count, seed: UInt64(count))
    let plan = BatchFFT.Plan(count: count)
    let batch = BatchFFT(plan)
    var spectra = Spectra(count: BatchFFT.lanes, bins: plan.bins)
    batch.transform(sound, into: &spectra)
    let size = Float(count).squareRoot()
    for lane in 0..<BatchFFT.lanes {
      let wanted = PlainTransform.spectrum(of: Array(sound[lane * count..<(lane + 1) * count]))
      let found = (0..<plan.bins).map { spectra.bin($0, of: lane) }
      let worst = zip(wanted, found).reduce(Float(0)) { max($0, abs(($1.0 - $1.1).max())) }
      #expect(worst < 2e-6 * size, "lane \(lane): \(worst)")
    }
    var back = [Float](repeating: 0, count: sound.count)
    batch.invert(spectra, into: &back)
    let worst = zip(sound, back).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(worst < 1e-6, "\(worst)")
  }

  @Test("the levels of bands are the logarithms of their mean powers")
  func levels() {
    let (count, hop) = (512, 240)
    let sound = Self.noise(hop * 7 + count + 5, seed: 3)
    let window = HannWindow.samples(count)
    let limits: [Int32] = [1, 2, 9, 100, 256]
    var levels: [UInt8] = []
    BatchFFT(BatchFFT.Plan(count: count)).addLevels(
      of: sound, from: 5, hop: hop, window: window, limits: limits, to: &levels)
    #expect(levels.count == BatchFFT.lanes * 4)
    for frame in 0..<BatchFFT.lanes {
      let first = 5 + frame * hop
      let spectrum = PlainTransform.spectrum(of: (0..<count).map { sound[first + $0] * window[$0] })
      for band in 0..<4 {
        let bins = spectrum[Int(limits[band])..<Int(limits[band + 1])]
        let power = bins.reduce(Float(0)) { $0 + $1.x * $1.x + $1.y * $1.y } / Float(bins.count)
        let level = (4.342_944_8 * Float(Elementary.log(Double(power) + 1e-14)) + 140) / 0.75
        let found = Float(levels[frame * 4 + band])
        #expect(abs(found - level) < 0.6, "frame \(frame), band \(band): \(found), not \(level)")
      }
    }
  }

  @Test("what is done bin by bin is what its words say")
  func bins() {
    let (count, range) = (256, 3..<120)
    let plan = BatchFFT.Plan(count: count)
    var spectra = Spectra(count: BatchFFT.lanes, bins: plan.bins)
    BatchFFT(plan).transform(Self.noise(BatchFFT.lanes * count, seed: 9), into: &spectra)
    var sum = CrossSum(bins: plan.bins)
    var powers = CrossSum.Powers(bins: plan.bins)
    sum.add(
      spectra, 2, 5, scale: 0.5, turn: 0.3, samples: count, in: range, powers: &powers)
    var plain = Spectra(count: 1, bins: plan.bins)
    plain.addCross(0, of: (spectra, 2), and: (spectra, 5), in: range)
    var white = plain
    white.setWhitenedCross(0, of: (spectra, 2), and: (spectra, 5), in: range)
    plain.turn(0, by: 0.3, samples: count, in: range)
    for bin in range {
      let (a, b) = (spectra.bin(bin, of: 2), spectra.bin(bin, of: 5))
      let angle = Float(2 * Double.pi * 0.3 * Double(bin) / Double(count))
      let (c, s) = (Float(Elementary.cos(Double(angle))), Float(Elementary.sin(Double(angle))))
      let cross = SIMD2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y)
      let turned = SIMD2(cross.x * c - cross.y * s, cross.x * s + cross.y * c)
      let size = (cross.x * cross.x + cross.y * cross.y).squareRoot()
      #expect(abs((plain.bin(bin, of: 0) - turned).max()) < 1e-4 * (1 + size))
      #expect(abs((sum.cross.bin(bin, of: 0) - turned * 0.5).max()) < 1e-4 * (1 + size))
      #expect(abs(powers.one[bin] - 0.5 * (a.x * a.x + a.y * a.y)) < 1e-3)
      #expect(abs(powers.other[bin] - 0.5 * (b.x * b.x + b.y * b.y)) < 1e-3)
      // The magnitude to the power 0.2, within 9 %.
      let wanted = Float(Elementary.exp(0.2 * Elementary.log(Double(size))))
      #expect(abs(white.power(of: 0, at: bin).squareRoot() / wanted - 1) < 0.09)
    }
    #expect(plain.bin(2, of: 0) == .zero && plain.bin(120, of: 0) == .zero)
    let power = range.reduce(Float(0)) { $0 + spectra.power(of: 2, at: $1) }
    #expect(abs(spectra.power(of: 2, in: range) / power - 1) < 1e-5)
  }
}
