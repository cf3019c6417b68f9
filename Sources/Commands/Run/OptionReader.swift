internal import Units

/// Reads the values of options, each with its range.
struct OptionReader {
  let line: ParsedLine

  func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = line.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badValue(
        option: option, value: text,
        wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func seed(_ option: String) throws(UsageError) -> UInt64? {
    guard let text = line.value(option) else { return nil }
    guard let number = UInt64(text) else {
      throw .badValue(option: option, value: text, wanted: "a whole number from 0")
    }
    return number
  }

  func text(_ option: String, upToBytes limit: Int) throws(UsageError) -> String? {
    guard let text = line.value(option) else { return nil }
    guard !text.isEmpty, text.utf8.count <= limit, !text.contains(where: \.isNewline) else {
      throw .badValue(option: option, value: text, wanted: "1 to \(limit) bytes on one line")
    }
    return text
  }

  func duration(
    _ option: String, in range: ClosedRange<Duration>
  ) throws(UsageError) -> Duration? {
    guard let text = line.value(option) else { return nil }
    guard let duration = DurationText.parse(text), range.contains(duration) else {
      let least = DurationText.short(range.lowerBound)
      throw .badValue(
        option: option, value: text,
        wanted: "a duration from \(least) to \(DurationText.short(range.upperBound))")
    }
    return duration
  }

  /// Addresses with ports: `192.168.1.7:5000`, `[fe80::1]:5000`.
  func addresses(_ option: String) throws(UsageError) -> [(host: String, port: UInt16)] {
    var found: [(host: String, port: UInt16)] = []
    for text in line.list(option) {
      guard let colon = text.lastIndex(of: ":"),
        let port = UInt16(text[text.index(after: colon)...]),
        port > 0
      else {
        throw .badValue(option: option, value: text, wanted: "HOST:PORT, such as 192.168.1.7:5000")
      }
      var host = text[..<colon]
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      guard !host.isEmpty else {
        throw .badValue(option: option, value: text, wanted: "HOST:PORT, such as 192.168.1.7:5000")
      }
      found.append((String(host), port))
    }
    return found
  }
}
