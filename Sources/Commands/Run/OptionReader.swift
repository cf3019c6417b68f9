internal import Recording
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

  /// Which of a card's channels: `2`, `1,3`, `1-4`.
  func channels(_ option: String) throws(UsageError) -> ChannelSelection? {
    guard let text = line.value(option) else { return nil }
    guard let selection = ChannelSelection(text) else {
      throw .badValue(
        option: option, value: text,
        wanted: "how many (2) or which (1,3 or 5-8), up to \(ChannelSelection.most)")
    }
    return selection
  }

  /// What channels are called: `1=Vocal`, once for each.
  func tracks(_ option: String, of selection: ChannelSelection?) throws(UsageError) -> [Track] {
    var tracks: [Track] = []
    for text in line.values[option] ?? [] {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let channel = Int(parts[0]),
        (1...ChannelSelection.most).contains(channel),
        parts[1].count <= Track.longestName, !parts[1].contains(where: \.isNewline),
        !tracks.contains(where: { $0.channel == channel })
      else {
        throw .badValue(
          option: option, value: text,
          wanted: "a channel of the card and its name, such as 1=Vocal, each channel once")
      }
      guard selection?.channels(of: selection?.count ?? 0).contains(channel) ?? true else {
        throw .badValue(
          option: option, value: text, wanted: "a channel that is recorded (see --channels)")
      }
      tracks.append(Track(channel: channel, name: parts[1]))
    }
    return tracks
  }

  /// Places of peers: `studio`, `192.168.1.7:5000`, `[fe80::1%eth0]:5000`.
  func places(_ option: String) throws(UsageError) -> [PeerPlace] {
    var found: [PeerPlace] = []
    for text in line.list(option) {
      guard let place = PeerPlace(text) else {
        throw .badValue(
          option: option, value: text,
          wanted: "HOST or HOST:PORT, such as studio, 192.168.1.7:5000 or [fe80::1%eth0]:5000")
      }
      found.append(place)
    }
    return found
  }
}
