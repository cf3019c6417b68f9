/// A page about an alignment that needs nothing beside itself: no script, no font, no network.
public enum AlignmentPage {
  /// The page as HTML in UTF-8.
  public static func html(of model: PageModel) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="\(HTML.escape(model.software))">
    <title>\(HTML.escape(model.title))</title>
    <style>\(style)</style>
    </head>
    <body>
    <header><h1>\(HTML.escape(model.title))</h1><p>\(HTML.escape(model.subtitle))</p></header>
    <main>
    <p class="summary">\(HTML.escape(model.summary))</p>
    \(table(of: model))
    \(overview(of: model))
    \(model.files.indices.map { section(model.files[$0], number: $0) }.joined(separator: "\n"))
    \(closure(of: model))
    </main>
    <footer>\(HTML.escape(model.software))</footer>
    </body>
    </html>

    """
  }

  /// The figures that the table has columns for, as files name them.
  private static let columns = ["offset", "rate", "bound"]

  /// All files at a glance, each with the way to its section.
  private static func table(of model: PageModel) -> String {
    let heads = (["file"] + columns).map { "<th scope=\"col\">\($0)</th>" }.joined()
    let rows = model.files.enumerated().map { number, file in
      let cells = columns.map { column in
        "<td>\(HTML.escape(file.figures.first { $0.name == column }?.value ?? "–"))</td>"
      }.joined()
      return "<tr><th scope=\"row\"><span class=\"\(file.verdict.rawValue)-text\">"
        + "\(file.verdict.sign)</span> <a href=\"#file-\(number)\">\(HTML.escape(file.name))</a>"
        + "</th>\(cells)</tr>"
    }.joined(separator: "\n")
    return "<div class=\"wide\"><table><thead><tr>\(heads)</tr></thead><tbody>\n\(rows)\n"
      + "</tbody></table></div>"
  }

  /// The files as bars on one timeline.
  private static func overview(of model: PageModel) -> String {
    let left = 150.0
    let width = 640.0
    let row = 22.0
    let height = row * Double(model.files.count) + 34
    let length = max(model.span.upperBound - model.span.lowerBound, 1e-9)
    func place(_ seconds: Double) -> Double {
      left + (seconds - model.span.lowerBound) / length * (width - left - 10)
    }
    var text =
      "<figure><figcaption>Files on the timeline, from \(HTML.escape(model.startLabel))"
      + "</figcaption><svg viewBox=\"0 0 \(HTML.number(width)) \(HTML.number(height))\" role=\"img\" "
      + "aria-label=\"Files on the timeline\">\n"
    for tick in Ticks.of(model.span) {
      let x = HTML.number(place(tick.value))
      text +=
        "<line class=\"grid\" x1=\"\(x)\" y1=\"4\" x2=\"\(x)\" y2=\"\(HTML.number(height - 28))\"/>"
        + "<text x=\"\(x)\" y=\"\(HTML.number(height - 15))\" text-anchor=\"middle\">\(tick.label)"
        + "</text>\n"
    }
    for (number, file) in model.files.enumerated() {
      let y = row * Double(number) + 6
      text +=
        "<text x=\"\(HTML.number(left - 8))\" y=\"\(HTML.number(y + 11))\" text-anchor=\"end\">"
        + "\(HTML.escape(shortened(file.name)))</text>\n"
      if let range = file.bar {
        text += bar(range, y: y, style: file.verdict.rawValue, place: place)
      } else {
        text += "<text x=\"\(HTML.number(left))\" y=\"\(HTML.number(y + 11))\">no place</text>"
      }
      for gap in file.gaps { text += bar(gap, y: y, style: "gap", place: place) }
    }
    return text + "<text x=\"\(HTML.number(left + (width - left) / 2))\" "
      + "y=\"\(HTML.number(height - 2))\" text-anchor=\"middle\">seconds</text></svg></figure>"
  }

  private static func bar(
    _ range: ClosedRange<Double>, y: Double, style: String, place: (Double) -> Double
  ) -> String {
    let from = place(range.lowerBound)
    let width = max(place(range.upperBound) - from, 1)
    return "<rect class=\"\(style)\" x=\"\(HTML.number(from))\" y=\"\(HTML.number(y))\" "
      + "width=\"\(HTML.number(width))\" height=\"14\" rx=\"2\"/>\n"
  }

  /// The end of a name tells more than its beginning, which all files of a take share.
  private static func shortened(_ name: String) -> String {
    name.count <= 21 ? name : "…" + name.suffix(20)
  }

  private static func section(_ file: PageFile, number: Int) -> String {
    let figures = file.figures.map {
      "<div><dt>\(HTML.escape($0.name))</dt><dd>\(HTML.escape($0.value))</dd></div>"
    }.joined()
    return """
      <section id="file-\(number)">
      <h2>\(HTML.escape(file.name))</h2>
      <p class="verdict \(file.verdict.rawValue)-text">\(file.verdict.sign) \
      \(HTML.escape(file.words))</p>
      <dl>\(figures)</dl>
      \(charts(of: file).compactMap(\.svg).joined())
      </section>
      """
  }

  private static func charts(of file: PageFile) -> [Chart] {
    let inliers = file.residuals.filter(\.isInlier).map(\.point)
    let outliers = file.residuals.filter { !$0.isInlier }.map(\.point)
    let seconds = "seconds"
    return [
      Chart(
        title: "Delay against the fit", xLabel: seconds, yLabel: "µs",
        marks: [
          .band(file.sigma, style: "sigma"), .strays(outliers, style: "out"),
          .dots(inliers, style: "in"),
        ],
        legend: [
          ("in", "counts"), ("out", "left out (on the edge: beyond it)"),
          ("sigma", "± 1 sigma of the fit"),
        ]),
      Chart(
        title: "Rate against the timeline", xLabel: seconds, yLabel: "ppm",
        marks: [.line(file.clockRate, style: "other"), .line(file.rate, style: "curve")],
        legend: [("curve", "the fit"), ("other", "live, by the clock's own log")]),
      Chart(
        title: "Correlation with the reference; what is left is the sound's own travel",
        xLabel: "lag, ms", yLabel: "",
        marks: [
          .line(file.correlationBefore, style: "other"),
          .line(file.correlationAfter, style: "curve"),
        ], legend: [("other", "before"), ("curve", "aligned")]),
    ] + transients(of: file)
  }

  private static func transients(of file: PageFile) -> [Chart] {
    [("before", file.transientBefore), ("aligned", file.transientAfter)].compactMap { word, pair in
      pair.map { pair in
        Chart(
          title: "A moment of sound, \(word)", xLabel: "ms", yLabel: "",
          marks: [.line(pair.reference, style: "other"), .line(pair.file, style: "curve")],
          legend: [("curve", "this file"), ("other", "the reference")])
      }
    }
  }

  private static func closure(of model: PageModel) -> String {
    guard !model.closure.isEmpty else { return "" }
    let rows = model.closure.map { row in
      "<tr><th scope=\"row\">\(HTML.escape(row.round))</th><td>\(tenths(row.microseconds)) µs</td></tr>"
    }.joined()
    return "<section><h2>Closure</h2><p>By how much each pair of files is off what all pairs agree "
      + "on: little, where all agree.</p><table>\(rows)</table></section>"
  }

  private static func tenths(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "–" }
    let size = HTML.number(value.magnitude)
    return size == "0" ? size : (value < 0 ? "−" : "+") + size
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--faint:#68748a;--line:#dde2ea;\
    --blue:#1f6fd1;--orange:#c8651b;--green:#2b8a4b;--yellow:#a67c00;--red:#c23b31}
    @media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--paper:#14181f;--faint:#97a2b6;\
    --line:#2b323e;--blue:#6aa7f2;--orange:#eb9a59;--green:#62c184;--yellow:#d8b24a;--red:#ef7d73}}
    body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);\
    max-width:46rem;margin:2rem auto;padding:0 1rem}
    h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .2rem;overflow-wrap:anywhere}
    header p,footer{color:var(--faint);margin:.2rem 0 1rem}
    .summary{font-size:1.1rem}.verdict{font-weight:600;margin:.2rem 0}
    .good-text{color:var(--green)}.check-text{color:var(--yellow)}.bad-text{color:var(--red)}
    dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.2rem 1rem;margin:.4rem 0}
    dt{color:var(--faint);font-size:.8rem}dd{margin:0;font-variant-numeric:tabular-nums}
    figure{margin:1rem 0}figcaption{font-size:.85rem;color:var(--faint)}
    svg{width:100%;height:auto;display:block}svg text{font-size:11px;fill:var(--faint)}
    a{color:inherit}.wide{overflow-x:auto}.key{white-space:nowrap;margin-left:.8em}
    .key i{display:inline-block;width:1.4em;vertical-align:middle;margin-right:.3em}
    i.curve{border-top:2px solid var(--blue)}i.other{border-top:2px dashed var(--orange)}
    i.in,i.out{width:.5em;height:.5em;border-radius:50%;background:var(--blue)}
    i.out{background:var(--red);opacity:.5}i.sigma{height:.7em;background:var(--blue);opacity:.25}
    .grid{stroke:var(--line);stroke-width:1}
    polyline{fill:none;stroke-width:1.4;stroke-linejoin:round}
    .curve{stroke:var(--blue)}.other{stroke:var(--orange);stroke-dasharray:4 2}
    .in{fill:var(--blue)}.out{fill:var(--red);opacity:.5}.sigma{fill:var(--blue);opacity:.15}
    rect.good{fill:var(--green)}rect.check{fill:var(--yellow)}rect.bad{fill:var(--red)}
    rect.gap{fill:var(--paper);stroke:var(--red)}
    table{border-collapse:collapse;margin:.6rem 0}thead{color:var(--faint);font-size:.8rem}
    th,td{padding:.2rem 1rem .2rem 0;border-bottom:1px solid var(--line);font-weight:400}
    th{text-align:left}td,th+th{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
    @media(max-width:40rem){figure{overflow-x:auto}svg{min-width:34rem}figcaption{position:sticky;left:0}}
    @media print{body{max-width:none;margin:0}figure,dl,tr{break-inside:avoid}h2,.verdict{break-after:avoid}\
    a{text-decoration:none}.wide,figure{overflow:visible}svg{min-width:0}}
    """
}
