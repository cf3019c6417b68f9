import TestLanes
import Testing

@testable import AlignmentPage

@Suite("The page about an alignment", .computing)
struct AlignmentPageTests {
  private var model: PageModel {
    var file = PageFile(
      name: "12A-T03_rec-<b>_1.wav", verdict: .check, words: "in place; its rate wanders & jumps",
      figures: [("offset", "+1.25 ms ± 2 us"), ("rate", "+12.0 ppm")], bar: 0.5...600)
    file.gaps = [100...100.2]
    file.residuals = (0..<4000).map { number -> PageResidual in
      let off = Double((number * 7919) % 200) / 10 - 10
      return PageResidual(
        seconds: Double(number) * 0.15, microseconds: off, isInlier: number % 50 != 0)
    }
    file.sigma = [PagePoint(0, 3), PagePoint(300, 1), PagePoint(600, 3)]
    file.rate = (0...600).map { second in PagePoint(Double(second), 12 + Double(second % 60) / 100)
    }
    file.clockRate = (0...600).map { second in PagePoint(Double(second), 12.1) }
    file.correlationBefore = (-50...50).map { lag in PagePoint(Double(lag) / 10, 0.1) }
    file.correlationAfter = (-50...50).map { lag in
      PagePoint(Double(lag) / 10, lag == 0 ? 0.9 : 0.05)
    }
    file.transientAfter = PageTransient(reference: click(1), file: click(0.9))
    let other = PageFile(
      name: "rec-a.wav", verdict: .good, words: "in place", figures: [], bar: 0...600)
    return PageModel(
      title: "Take 12A/3", subtitle: "clock mode", summary: "2 files, 1 to look at", span: 0...600,
      startLabel: "10:00:00:00", files: [other, file],
      closure: [PageClosure(round: "a → b → c → a", microseconds: -1.26)], software: "recorder 0.1")
  }

  private func click(_ height: Double) -> [PagePoint] {
    (0..<96).map { sample in PagePoint(Double(sample) / 48, sample == 40 ? height : 0) }
  }

  @Test("it needs nothing beside itself, and every name is escaped")
  func selfContained() {
    let page = AlignmentPage.html(of: model)
    #expect(!page.contains("http"))
    #expect(!page.contains("<script"))
    #expect(!page.contains("rec-<b>"))
    #expect(page.contains("12A-T03_rec-&lt;b&gt;_1.wav"))
    #expect(page.contains("its rate wanders &amp; jumps"))
    #expect(page.contains("−1.3 µs"))
    #expect(page.contains("<rect class=\"gap\""))
    #expect(page.contains("<a href=\"#file-1\">") && page.contains("<section id=\"file-1\">"))
    #expect(!page.contains("nan") && !page.contains("inf"))
  }

  @Test("each picture is there once, and none where there is nothing to draw")
  func pictures() {
    let page = AlignmentPage.html(of: model)
    let count = page.split(separator: "<svg ", omittingEmptySubsequences: false).count - 1
    // The overview, and of the second file residuals, rates, correlation and one transient.
    #expect(count == 5)
    #expect(page.split(separator: "<circle").count - 1 <= Chart.mostPoints + 80)
  }

  @Test("ticks are round, within the axis, and have just the digits they need")
  func ticks() {
    #expect(Ticks.of(0...600).map(\.label) == ["0", "200", "400", "600"])
    #expect(
      Ticks.of(-0.3...0.25).map(\.label) == ["−0.2", "0.0", "0.2"])
    #expect(Ticks.of(12...12.59).map(\.label) == ["12.0", "12.2", "12.4"])
    #expect(Ticks.of(0...3e9).map(\.label).last == "3000000000")
    #expect(Ticks.of(1e-7...5e-7).count >= 2)
  }

  @Test("thinning keeps the extremes in their places")
  func thinning() {
    var points = (0..<10_000).map { PagePoint(Double($0), 0) }
    points[1234] = PagePoint(1234, 7)
    points[8765] = PagePoint(8765, -7)
    let thin = Thinning.thinned(points, to: 500)
    #expect(thin.count <= 500)
    #expect(thin.contains(PagePoint(1234, 7)) && thin.contains(PagePoint(8765, -7)))
    #expect(thin.map(\.x) == thin.map(\.x).sorted())
  }

  @Test("what was left out does not widen a picture, and is drawn on its edge")
  func strays() throws {
    let chart = Chart(
      title: "x", xLabel: "", yLabel: "",
      marks: [
        .strays([PagePoint(1, 20_000)], style: "out"),
        .dots([PagePoint(0, -1), PagePoint(2, 1)], style: "in"),
      ], legend: [("in", "counts"), ("out", "left out"), ("sigma", "not drawn")])
    let svg = try #require(chart.svg)
    #expect(svg.contains("<circle class=\"out\" cx=\"343\" cy=\"10\""))
    #expect(!svg.contains("20000") && !svg.contains("not drawn") && svg.contains("left out"))
  }

  @Test("a file without a place has no bar, and says so")
  func placeless() {
    let file = PageFile(name: "x", verdict: .bad, words: "no sound", figures: [], bar: nil)
    let page = AlignmentPage.html(
      of: PageModel(
        title: "x", subtitle: "", summary: "", span: 0...1, startLabel: "", files: [file],
        software: "x"))
    #expect(page.contains(">no place<") && !page.contains("<rect"))
  }

  @Test("figures that are not finite and spans of nothing break no picture")
  func degenerate() {
    var file = PageFile(name: "x", verdict: .bad, words: "no sound", figures: [], bar: 0...0)
    file.rate = [PagePoint(0, 5), PagePoint(1, 5)]
    file.residuals = [PageResidual(seconds: 0, microseconds: .nan, isInlier: true)]
    let model = PageModel(
      title: "x", subtitle: "", summary: "", span: 0...0, startLabel: "", files: [file],
      software: "x")
    let page = AlignmentPage.html(of: model)
    #expect(!page.contains("nan") && !page.contains("inf"))
    #expect(page.split(separator: "<svg ", omittingEmptySubsequences: false).count - 1 == 2)
  }
}
