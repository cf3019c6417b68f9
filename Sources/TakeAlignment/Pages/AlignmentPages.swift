internal import Alignment
internal import AlignmentPage
internal import Recording
internal import Units

/// What the page shows of a file beside its figures.
struct PageSeries {
  var residuals: [PageResidual] = []
  /// The fit's standard deviation, in microseconds.
  var sigma: [PagePoint] = []
  var rate: [PagePoint] = []
  var clockRate: [PagePoint] = []
  /// Sound beside the reference's, where both have some.
  var pictures: SoundPictures?

  /// Points of a picture at most: more than a screen is wide shows nothing.
  private static let limit = 1500
  private static let sigmaPoints = 40

  /// Of a file that its timing log places.
  init(of file: TakeFile, timeline: Timeline) {
    let origin = timeline.start
    let observations = file.observations
    let stride = max(1, observations.count / Self.limit)
    for place in Swift.stride(from: 0, to: observations.count, by: stride) {
      let observation = observations[place]
      let meant = file.fit.nanoseconds(ofFrame: Double(observation.frame), since: origin)
      let seen = Double(observation.shared.nanoseconds - origin.nanoseconds)
      let off = (seen - meant) * 1e-3
      residuals.append(
        PageResidual(
          seconds: meant * 1e-9, microseconds: off,
          isInlier: abs(off) * 1e3 <= 6 * file.fit.residualNanoseconds + 1))
    }
    if let first = residuals.first?.point.x, let last = residuals.last?.point.x {
      sigma = (0...Self.sigmaPoints).map { step in
        // The line's uncertainty is least in its middle: half of that at its ends.
        let part = 2 * Double(step) / Double(Self.sigmaPoints) - 1
        let size = file.fit.sigmaNanoseconds * 1e-3 * ((1 + 3 * part * part) / 4).squareRoot()
        return PagePoint(first + (last - first) * (part + 1) / 2, size)
      }
    }
    for clock in file.log.clocks where clock.frame >= 0 {
      let seconds =
        file.fit.nanoseconds(ofFrame: file.edits.repaired(Double(clock.frame)), since: origin)
        * 1e-9
      clockRate.append(PagePoint(seconds, clock.cardPPM - clock.skewPPM))
      rate.append(PagePoint(seconds, file.fit.rate.partsPerMillion))
    }
  }

  /// Of a file of which nothing but its place is known.
  init() {}

  /// Of a file that was compared with another by sound.
  init(of comparison: PairComparison, hertz: Double) {
    residuals = comparison.residuals(hertz: hertz).map {
      PageResidual(
        seconds: $0.seconds, microseconds: $0.microseconds, isInlier: $0.isInlier)
    }
    if let first = residuals.first?.point.x, let last = residuals.last?.point.x {
      sigma = (0...Self.sigmaPoints).map { step in
        let seconds = first + (last - first) * Double(step) / Double(Self.sigmaPoints)
        return PagePoint(seconds, comparison.sigma(atSeconds: seconds, hertz: hertz) * 1e6)
      }
    }
  }
}

/// The report as a page.
enum AlignmentPages {
  static func html(of report: AlignmentReport, series: [String: PageSeries]) -> String {
    let files = report.files.sorted { $0.key < $1.key }
    let earliest = files.filter(\.value.matched).map(\.value.offsetSeconds).min() ?? 0
    let start = report.method == "sound" ? earliest : 0
    let length = Double(report.frames) / Double(report.sampleRateHertz)
    let bad = files.count { $0.value.verdict == .bad }
    let check = files.count { $0.value.verdict == .check }
    let summary =
      bad > 0
      ? "\(bad) of \(files.count) files \(bad == 1 ? "has" : "have") no place that can be trusted."
      : check > 0
        ? "All \(files.count) files are placed; \(check) of them \(check == 1 ? "wants" : "want") a look."
        : "All \(files.count) files are placed, and nothing speaks against it."
    // Two pairs have nothing to contradict each other by.
    let pairs = (report.pairs ?? []).filter(\.matched)
    return AlignmentPage.html(
      of: PageModel(
        title: report.takeName.isEmpty ? "Aligned files" : report.takeName,
        subtitle: "by \(report.method) · \(report.sampleRateHertz) Hz · \(thousandths(length)) s",
        summary: summary, span: 0...max(length, 1e-3),
        startLabel: startLabel(of: report),
        files: files.map {
          file(
            $0.value, name: $0.key, isReference: $0.key == report.reference, start: start,
            series: series[$0.key])
        },
        closure: pairs.count < 3
          ? []
          : pairs.map {
            PageClosure(
              round: "\($0.one) – \($0.other)", microseconds: $0.closureSeconds * 1e6)
          }, software: "recorder"))
  }

  /// When the timeline begins: as a time of day by its timecode, and the sample that says so.
  private static func startLabel(of report: AlignmentReport) -> String {
    guard let reference = report.timeReference else { return "the first sound" }
    let seconds = reference / UInt64(report.sampleRateHertz)
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map {
      String($0 + 100).suffix(2)
    }
    return "\(parts.joined(separator: ":")) by timecode (sample \(reference))"
  }

  private static func file(
    _ file: AlignedFile, name: String, isReference: Bool, start: Double, series: PageSeries?
  ) -> PageFile {
    let placed = isReference ? "in its place: the others are laid onto it" : "in its place"
    let words = file.warnings.isEmpty ? placed : file.warnings.joined(separator: "; ")
    let first = file.offsetSeconds - start
    let last = (file.map.last?.last ?? file.offsetSeconds) - start
    var page = PageFile(
      name: name, verdict: PageFile.Verdict(rawValue: file.verdict.rawValue) ?? .check,
      words: words, figures: file.matched ? figures(of: file, isReference: isReference) : [],
      bar: file.matched ? first...max(first, last) : nil)
    page.residuals = series?.residuals ?? []
    page.sigma = series?.sigma ?? []
    page.rate = series?.rate ?? []
    page.clockRate = series?.clockRate ?? []
    page.correlationBefore = series?.pictures?.correlationBefore ?? []
    page.correlationAfter = series?.pictures?.correlationAfter ?? []
    page.transientBefore = series?.pictures?.transientBefore
    page.transientAfter = series?.pictures?.transientAfter
    page.gaps = (file.repairs ?? []).filter { $0.frames > 0 }.map { repair in
      let at = first + Double(repair.frame) / Double(file.sampleRateHertz)
      return at...at + Double(repair.frames) / Double(file.sampleRateHertz)
    }
    return page
  }

  private static func figures(
    of file: AlignedFile, isReference: Bool
  ) -> [(name: String, value: String)] {
    let bound = "±\(thousandths(Double(file.jitterBoundNanoseconds) * 1e-3)) µs"
    var figures = [
      ("offset", offset(file.offsetSeconds)), ("rate", "\(thousandths(file.ppm)) ppm"),
      ("bound", isReference && file.jitterBoundNanoseconds == 0 ? "the measure" : bound),
    ]
    if file.pathLimitNanoseconds > 0 {
      figures.append(
        ("path's asymmetry", "≤ \(thousandths(Double(file.pathLimitNanoseconds) * 1e-3)) µs"))
    }
    if let sound = file.sound {
      figures.append(("stands out from chance by", "\(Int(sound.sigmas)) σ"))
      if let seconds = sound.differenceSeconds, let metres = sound.differenceMetres {
        figures.append(
          ("sound less clock", "\(thousandths(seconds * 1e3)) ms, \(thousandths(metres)) m"))
      }
    }
    return figures
  }

  /// A place, in the unit that suits it.
  private static func offset(_ seconds: Double) -> String {
    seconds.magnitude < 1 ? "\(thousandths(seconds * 1e3)) ms" : "\(millionths(seconds)) s"
  }

  /// A number to six places.
  private static func millionths(_ value: Double) -> String {
    let whole = Int64((value * 1e6).rounded())
    let places = String(whole.magnitude % 1_000_000 + 1_000_000).dropFirst()
    return "\(whole < 0 ? "−" : "")\(whole.magnitude / 1_000_000).\(places)"
  }

  /// A number to three places.
  private static func thousandths(_ value: Double) -> String {
    let whole = Int64((value * 1000).rounded())
    let places = String(whole.magnitude % 1000 + 1000).dropFirst()
    return "\(whole < 0 ? "−" : "")\(whole.magnitude / 1000).\(places)"
  }
}
