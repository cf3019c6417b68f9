import FFT
import TestLanes
import Testing
import Units

@Suite("Eight transforms at once", .computing)
struct BatchFFTTests {
  @Test(
    "each lane is what one transform gives, and comes back",
    arguments: [32, 64, 128, 512, 2048, 32_768])
  func lanes(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let sound = (0..<BatchFFT.lanes * count).map { _ in Float(generator.nextUnit() - 0.5) }
    let batch = BatchFFT(BatchFFT.Plan(count: count))
    let single = RealFFT(count: count)
    let spectra = batch.spectra(of: sound)
    let size = Float(count).squareRoot()
    for lane in 0..<BatchFFT.lanes {
      let wanted = single.spectrum(of: Array(sound[lane * count..<(lane + 1) * count]))
      let found = spectra[lane * wanted.count..<(lane + 1) * wanted.count]
      let worst = zip(wanted, found).reduce(Float(0)) { max($0, abs(($1.0 - $1.1).max())) }
      #expect(worst < 2e-6 * size, "lane \(lane): \(worst)")
    }
    let back = batch.sequences(of: spectra)
    let worst = zip(sound, back).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(worst < 1e-6, "\(worst)")
  }
}
