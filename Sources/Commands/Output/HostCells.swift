internal import Recording
internal import Units

/// The cells of a host's line in the status table.
struct HostCells {
  /// Under this the disk is called low.
  static let lowDiskMinutes = 60.0
  static let unknown = "–"

  let report: HostReport

  /// Lost, or ended by its user.
  var isLost: Bool { report.isGone }

  /// `*` the reference, `+` a host that is well, `!` one with a problem, `?` one that is lost; none
  /// for one whose user has ended its daemon.
  var mark: String {
    if isLost { return report.state == "lost" ? "?" : " " }
    if !report.warnings.isEmpty || report.gaps > 0 || report.sync.role == .unsynced { return "!" }
    return report.sync.role == .coordinator ? "*" : "+"
  }

  var state: String { report.state }

  var input: String {
    // By how much its crystal is fast, once that is measured.
    guard !isLost, report.input != nil, let excess = report.cardPpm else {
      return inputWithoutCrystal
    }
    let sign = excess < 0 ? "−" : "+"
    return "\(inputWithoutCrystal) \(sign)\(Decimals.text(abs(excess), places: 1))ppm"
  }

  var inputWithoutCrystal: String {
    if isLost, let silent = report.silentSeconds {
      let span =
        silent < 59.5
        ? "\(Decimals.text(silent, places: 0)) s" : DurationText.short(.seconds(silent))
      return "\(span) ago"
    }
    guard let input = report.input else { return "no card" }
    let kilohertz = Double(input.sampleRateHertz) / 1000
    let isWhole = kilohertz == kilohertz.rounded()
    let rate = Decimals.text(kilohertz, places: isWhole ? 0 : 1) + "k"
    let channels = input.channels > 0 ? "\(input.channels)ch " : ""
    return "\(input.pcm) \(channels)\(rate)"
  }

  /// The peak of each channel; of many, the loudest.
  var levels: String {
    guard let peaks = report.levelsDbfs?.peak, !peaks.isEmpty, !isLost else { return Self.unknown }
    let shown = peaks.count <= 4 ? peaks : [peaks.compactMap(\.self).max()]
    let texts = shown.map { peak in peak.map { Decimals.text($0, places: 0) } ?? "−∞" }
    return texts.joined(separator: " ") + (report.clipped > 0 ? " CLIP" : "")
  }

  var battery: String {
    guard let percent = report.batteryPercent else { return Self.unknown }
    let minutes = report.batteryMinutes.map { " " + DurationText.short(.seconds($0 * 60)) } ?? ""
    return "\(Decimals.text(percent, places: 0))%\(minutes)"
  }

  var disk: String {
    if report.diskSilentSeconds != nil { return "no answer" }
    if let minutes = report.diskMinutesLeft {
      let low = minutes < Self.lowDiskMinutes ? " LOW" : ""
      return (minutes < 1 ? "<1m" : DurationText.short(.seconds(minutes * 60))) + low
    }
    return report.diskFreeBytes.map(Decimals.bytes) ?? Self.unknown
  }

  var sync: String {
    switch report.sync.role {
    case .coordinator: return "reference"
    case .unsynced: return "none"
    case .follower:
      guard let offset = report.sync.offsetNs, let bound = report.sync.jitterBoundNs else {
        return Self.unknown
      }
      let limit = Decimals.time(nanoseconds: bound)
      var figure = Decimals.time(nanoseconds: Int64(clamping: offset.magnitude))
      // A unit that both have is said once.
      if let unit = limit.split(separator: " ").last, figure.hasSuffix(" \(unit)") {
        figure.removeLast(unit.count + 1)
      }
      return "\(offset < 0 ? "−" : offset > 0 ? "+" : "")\(figure) ±\(limit)"
    }
  }

  var gaps: String { isLost || report.input == nil ? Self.unknown : "\(report.gaps)" }
}
