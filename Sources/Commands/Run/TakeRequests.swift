internal import Control
internal import Recording
internal import Units

/// What is asked by the commands that say something of takes.
enum TakeRequests {
  /// Fills in what `line` says beyond what every command may say.
  static func fill(_ request: inout ControlRequest, from line: ParsedLine) throws(UsageError) {
    let reader = OptionReader(line: line)
    switch request.verb {
    case .scene:
      request.takeName = try name(line.operands.first, "the scene")
      request.project = try name(line.value("--project"), "--project")
      request.tape = try name(line.value("--tape"), "--tape")
    case .mark:
      request.text = try text(line, otherwise: "marker")
      if let word = line.value("--at") { try place(word, in: &request) }
    case .note:
      request.text = try text(line, otherwise: "")
      request.takeLabel = try reader.text("--take", upToBytes: 16)
    case .name: request.text = line.operands.first
    case .forget: request.hosts = line.operands
    case .circle:
      request.takeLabel = line.operands.first
      request.isCircled = !line.has("--off")
    default: break
    }
  }

  private static func place(
    _ word: String, in request: inout ControlRequest
  ) throws(UsageError) {
    if let distance = DurationText.parse(word) {
      request.leadNs = distance.wholeNanoseconds
    } else if let instant = CivilDate.parse(word) {
      request.atUnixNs = instant
    } else {
      throw .badValue(
        option: "--at", value: word,
        wanted: "a duration such as -5s, or a time such as 2026-05-01T20:15:00+02:00")
    }
  }

  private static func text(
    _ line: ParsedLine, otherwise usual: String
  ) throws(UsageError) -> String {
    let text = line.operands.joined(separator: " ")
    guard text.count <= TakeRemarks.longestNote else {
      throw .badValue(
        option: "the text", value: "of \(text.count) characters",
        wanted: "up to \(TakeRemarks.longestNote)")
    }
    return text.isEmpty ? usual : text
  }

  private static func name(_ text: String?, _ what: String) throws(UsageError) -> String? {
    guard let text else { return nil }
    guard !text.isEmpty, text.count <= TakePlan.longestName, !text.contains(where: \.isNewline)
    else {
      throw .badValue(
        option: what, value: text, wanted: "1 to \(TakePlan.longestName) characters on one line")
    }
    return text
  }
}
