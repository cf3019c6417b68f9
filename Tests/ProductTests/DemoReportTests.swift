import AcousticScene
import Demo
import TestLanes
import Testing

@Suite("What a demo prints", .computing)
struct DemoReportTests {
  static func figures(residual: Double?) -> Figures {
    let residuals = [
      Residual(frame: 0, samples: 0.01, coherence: 1),
      Residual(frame: 48_000, samples: residual, coherence: residual == nil ? 0.1 : 1),
    ]
    let host = HostFigures(
      label: "rec-a", saidOffsetNs: 12_000, saidBoundNs: 1_700, syncErrorNs: -359,
      firstSampleSamples: -0.25, rawFrames: 96_003, trueFrames: 96_003.4, cardPpm: 37.5,
      trueCardPpm: 37.25, sharedPpm: -62.5, trueSharedPpm: -62.25, alignedFrames: 96_000,
      residuals: residuals)
    return Figures(
      coordinator: "rec-a", settledSeconds: 1.02, firstSampleSpreadSamples: 0.25, hosts: [host],
      pairs: [],
      verdicts: [
        Verdict("sync error", host: "rec-a", measured: -359, budget: 20_000, unit: "ns"),
        Verdict(
          "residual of the sound", host: "rec-a", measured: residual, budget: 2, unit: "samples"),
      ])
  }

  @Test("the table says who was elected, each host's figures, and that all is well")
  func table() {
    let text = DemoReport(seed: 1, take: "/takes/demo", figures: Self.figures(residual: 0.02))
      .table()
    #expect(text.contains("Elected: rec-a. In sync 1.02 s"))
    let row = text.split(separator: "\n").first { $0.hasPrefix("  rec-a") } ?? ""
    for cell in ["12.0", "±1.7", "−0.36", "−0.25", "96003", "+37.50 (+37.25)", "−62.50 (−62.25)"] {
      #expect(row.contains(cell), "\(cell) in \(row)")
    }
    #expect(text.contains("All figures are within their budgets."))
    #expect(!text.contains("FAIL"))
  }

  @Test("what is too large, or cannot be measured at all, fails by name", arguments: [2.01, nil])
  func failing(residual: Double?) {
    let figures = Self.figures(residual: residual)
    #expect(!figures.isWithinBudget)
    let text = DemoReport(seed: 1, take: "/takes/demo", figures: figures).table()
    #expect(text.contains("NOT within budget: residual of the sound of rec-a."))
    #expect(text.contains("FAIL  residual of the sound"))
    #expect(text.contains("ok    sync error"))
  }

  @Test("as JSON, keys name their units and the verdict is there")
  func json() throws {
    let text = try DemoReport(seed: 7, take: "/takes/demo", figures: Self.figures(residual: 0.5))
      .json()
    for key in [
      "\"schema\" : \"recorder.demo/1\"", "\"seed\" : 7", "\"settled_s\"", "\"sync_error_ns\"",
      "\"first_sample_spread_samples\"", "\"true_card_ppm\"", "\"within_budget\" : true",
    ] {
      #expect(text.contains(key), "\(key)")
    }
    #expect(text.hasSuffix("}\n"))
  }

  @Test("numbers are rounded to their decimals, without a minus on nothing")
  func numbers() {
    #expect(Fixed.text(-0.004, decimals: 2) == "0.00")
    #expect(Fixed.text(-0.006, decimals: 2) == "−0.01")
    #expect(Fixed.text(12.345, decimals: 1, signed: true) == "+12.3")
    #expect(Fixed.text(7, decimals: 0) == "7")
    #expect(Fixed.text(nil, decimals: 2) == "–")
    #expect(Fixed.text(.infinity, decimals: 2) == "–")
  }
}
