/// A picture of curves and points over two axes, as SVG.
struct Chart {
  /// What is drawn, by its class in the page's style sheet.
  enum Mark {
    case line([PagePoint], style: String)
    case dots([PagePoint], style: String)
    /// Dots that do not widen the picture: those beyond it lie on its edge.
    case strays([PagePoint], style: String)
    /// Between +y and −y.
    case band([PagePoint], style: String)

    var style: String {
      switch self {
      case .line(_, let style), .dots(_, let style), .strays(_, let style), .band(_, let style):
        style
      }
    }
  }

  static let size = (width: 640.0, height: 180.0)
  private static let margin = (left: 58.0, right: 12.0, top: 10.0, bottom: 30.0)
  /// The most points of a curve that are drawn: more than the picture has columns show nothing.
  static let mostPoints = 1500

  let title: String
  let xLabel: String
  let yLabel: String
  let marks: [Mark]
  /// What each style stands for.
  var legend: [(style: String, words: String)] = []

  /// The picture; nothing where there is nothing to draw.
  var svg: String? {
    let points = marks.flatMap(Self.points).filter { $0.x.isFinite && $0.y.isFinite }
    let strays = marks.flatMap(Self.strays).filter { $0.x.isFinite && $0.y.isFinite }
    let heights = (points.isEmpty ? strays : points).map(\.y)
    guard let x = Self.range((points + strays).map(\.x), least: 1e-9),
      let y = Self.range(heights, least: 1e-6)
    else { return nil }
    let frame = Frame(x: Ticks.widened(x), y: Ticks.widened(y))
    let (width, height) = Self.size
    var text =
      "<figure><figcaption>\(HTML.escape(title))\(keys)</figcaption>"
      + "<svg viewBox=\"0 0 \(HTML.number(width)) \(HTML.number(height))\" role=\"img\" "
      + "aria-label=\"\(HTML.escape(title))\">\n"
    text += axes(frame)
    for mark in marks { text += drawing(of: mark, in: frame) }
    return text + "</svg></figure>\n"
  }

  private static func points(of mark: Mark) -> [PagePoint] {
    switch mark {
    case .line(let points, _), .dots(let points, _): points
    case .strays: []
    case .band(let points, _): points + points.map { PagePoint($0.x, -$0.y) }
    }
  }

  private static func strays(of mark: Mark) -> [PagePoint] {
    if case .strays(let points, _) = mark { points } else { [] }
  }

  /// The legend, of what is drawn.
  private var keys: String {
    let drawn = marks.filter { !(Self.points(of: $0) + Self.strays(of: $0)).isEmpty }
    let styles = Set(drawn.map(\.style))
    return legend.filter { styles.contains($0.style) }.map { key in
      " <span class=\"key\"><i class=\"\(key.style)\"></i>\(HTML.escape(key.words))</span>"
    }.joined()
  }

  private static func range(_ values: [Double], least: Double) -> ClosedRange<Double>? {
    guard let low = values.min(), let high = values.max() else { return nil }
    return high - low < least ? (low - least / 2)...(high + least / 2) : low...high
  }

  /// From figures to places in the picture.
  private struct Frame {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    /// The point, on the edge where it lies above or below.
    func clamped(_ point: PagePoint) -> PagePoint {
      PagePoint(point.x, max(y.lowerBound, min(y.upperBound, point.y)))
    }

    func place(_ point: PagePoint) -> (x: Double, y: Double) {
      let (width, height) = Chart.size
      let across = width - Chart.margin.left - Chart.margin.right
      let down = height - Chart.margin.top - Chart.margin.bottom
      return (
        Chart.margin.left + (point.x - x.lowerBound) / (x.upperBound - x.lowerBound) * across,
        height - Chart.margin.bottom
          - (point.y - y.lowerBound) / (y.upperBound - y.lowerBound) * down
      )
    }
  }

  private func axes(_ frame: Frame) -> String {
    let (width, height) = Self.size
    let bottom = height - Self.margin.bottom
    var text = ""
    for tick in Ticks.of(frame.x) {
      let x = HTML.number(frame.place(PagePoint(tick.value, 0)).x)
      text +=
        "<line class=\"grid\" x1=\"\(x)\" y1=\"\(HTML.number(Self.margin.top))\" x2=\"\(x)\" "
        + "y2=\"\(HTML.number(bottom))\"/><text x=\"\(x)\" y=\"\(HTML.number(bottom + 13))\" "
        + "text-anchor=\"middle\">\(tick.label)</text>\n"
    }
    for tick in Ticks.of(frame.y) {
      let y = HTML.number(frame.place(PagePoint(0, tick.value)).y)
      text +=
        "<line class=\"grid\" x1=\"\(HTML.number(Self.margin.left))\" y1=\"\(y)\" "
        + "x2=\"\(HTML.number(width - Self.margin.right))\" y2=\"\(y)\"/>"
        + "<text x=\"\(HTML.number(Self.margin.left - 5))\" y=\"\(y)\" dy=\"3.5\" "
        + "text-anchor=\"end\">\(tick.label)</text>\n"
    }
    let middle = HTML.number(Self.margin.left + (width - Self.margin.left - Self.margin.right) / 2)
    return text
      + "<text x=\"\(middle)\" y=\"\(HTML.number(height - 3))\" text-anchor=\"middle\">"
      + "\(HTML.escape(xLabel))</text><text transform=\"translate(11 "
      + "\(HTML.number((Self.margin.top + bottom) / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "\(HTML.escape(yLabel))</text>\n"
  }

  private func drawing(of mark: Mark, in frame: Frame) -> String {
    switch mark {
    case .line(let points, let style):
      let path = Self.path(Thinning.thinned(points, to: Self.mostPoints), in: frame)
      return "<polyline class=\"\(style)\" points=\"\(path)\"/>\n"
    case .band(let points, let style):
      let thin = Thinning.thinned(points, to: Self.mostPoints / 2)
      let lower = thin.reversed().map { PagePoint($0.x, -$0.y) }
      return "<polygon class=\"\(style)\" points=\"\(Self.path(thin + lower, in: frame))\"/>\n"
    case .dots(let points, let style), .strays(let points, let style):
      return Thinning.thinned(points, to: Self.mostPoints).map { point in
        let place = frame.place(frame.clamped(point))
        return "<circle class=\"\(style)\" cx=\"\(HTML.number(place.x))\" "
          + "cy=\"\(HTML.number(place.y))\" r=\"1.6\"/>"
      }.joined() + "\n"
    }
  }

  private static func path(_ points: [PagePoint], in frame: Frame) -> String {
    points.map { point in
      let place = frame.place(point)
      return "\(HTML.number(place.x)),\(HTML.number(place.y))"
    }.joined(separator: " ")
  }
}

/// Fewer points that look alike.
enum Thinning {
  /// At most `count` of the points: of each stretch the lowest and the highest, in their order.
  static func thinned(_ points: [PagePoint], to count: Int) -> [PagePoint] {
    guard points.count > count else { return points }
    let stretches = count / 2
    return (0..<stretches).flatMap { number -> [PagePoint] in
      let from = number * points.count / stretches
      let to = (number + 1) * points.count / stretches
      let indices = from..<to
      guard let low = indices.min(by: { points[$0].y < points[$1].y }),
        let high = indices.max(by: { points[$0].y < points[$1].y })
      else { return [] }
      return low == high ? [points[low]] : [points[min(low, high)], points[max(low, high)]]
    }
  }
}
