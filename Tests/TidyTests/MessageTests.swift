import TestLanes
import Testing

@Suite("Every message stands in operating.md, with what to do", .computing)
struct MessageTests {
  let tree = Tree()

  /// The errors whose descriptions people read: each text of them is a message, or the part of one.
  static let errors = [
    "Control/ControlError", "CaptureEngine/CaptureError", "Commands/Table/UsageError",
    "Commands/Configuration/ConfigurationError", "ALSA/ALSAError", "SoundFile/SoundFileError",
    "TakeRecovery/RecoveryError", "TakeAlignment/AlignmentError", "PeerClock/PeerClockError",
    "Sockets/SocketError", "Demo/DemoError",
  ]
  /// What status and doctor say.
  static let findings = [
    "Commands/Doctor/DoctorRules", "Recording/Health/HealthRules", "Recording/Health/HealthWatch",
  ]
  /// What begins the saying of a refusal.
  private static let marks = [
    "Refusal(", ".reason = ", "let reason =", "refuse(", "refusal(", ".fail(",
    "terminal.say(\"recorder: ",
  ]
  /// The most characters that such a saying has in the source.
  private static let longest = 400

  @Test("each error's sentences", arguments: errors)
  func sentences(file: String) throws {
    try expect(try texts("Sources/\(file).swift").texts.map(\.text), leastWords: 2, of: file)
  }

  @Test("what status and doctor find", arguments: findings)
  func found(file: String) throws {
    let commands = ["sudo ", "recorder ", "echo ", "iw ", "df "]
    let told = try texts("Sources/\(file).swift").texts.map(\.text).filter { text in
      !commands.contains { text.hasPrefix($0) }
    }
    try expect(told, leastWords: 3, of: file)
  }

  @Test("each reason for which the daemon or a command refuses")
  func reasons() throws {
    var count = 0
    for folder in ["Sources/RecorderDaemon", "Sources/Commands/Run"] {
      for file in try tree.files(under: folder, suffixes: [".swift"]) {
        let told = refusals(in: try texts(file.path))
        count += told.count
        try expect(told, leastWords: 3, of: file.path)
      }
    }
    // Should the marks be written otherwise one day, this finds nothing: that must not go unseen.
    #expect(count > 40, "\(count)")
  }

  private func texts(_ path: String) throws -> SourceTexts { SourceTexts(try tree.text(path)) }

  private func refusals(in source: SourceTexts) -> [String] {
    Self.marks.flatMap { mark in
      source.occurrences(of: mark).flatMap { found -> [String] in
        // A text that is the mark's own begins within it.
        let start = mark.hasSuffix(" ") && mark.contains("\"") ? found.lowerBound : found.upperBound
        let end = min(start + Self.longest, source.length)
        let saying = source.part(start..<end)
        let stops = ["exitCode:", "\n\n"].compactMap { saying.firstRange(of: $0)?.lowerBound }
        let length = stops.min().map { saying.distance(from: saying.startIndex, to: $0) }
        let texts = source.texts.filter {
          (start..<start + (length ?? saying.count)).contains($0.start)
        }
        let isOne = mark == ".fail(" || mark.hasPrefix("terminal")
        return (isOne ? texts.prefix(1).map(\.text) : texts.map(\.text))
      }
    }
  }

  /// Holds texts of so many words and more against the document.
  private func expect(_ texts: [String], leastWords: Int, of file: String) throws {
    let page = try tree.text("docs/operating.md").filter { $0 != "`" }
    for text in texts {
      let message = Self.trimmed(text)
      guard Self.wordCount(of: message) >= leastWords else { continue }
      #expect(page.contains(message), "\(file) says: \(message)")
    }
  }

  /// Without what joins it to others.
  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    if text.hasPrefix("recorder: ") { text = text.dropFirst(10) }
    while let first = text.first, " ;".contains(first) { text = text.dropFirst() }
    while let last = text.last, " ;".contains(last) { text = text.dropLast() }
    return String(text)
  }

  private static func wordCount(of text: String) -> Int {
    text.split { " …".contains($0) }.count { word in word.count { $0.isLetter } >= 2 }
  }
}
