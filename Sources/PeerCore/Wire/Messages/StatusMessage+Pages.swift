extension StatusMessage {
  /// The messages that carry `entries`, each within what a frame holds; at least one.
  ///
  /// The oldest changes come first, and each page names as its generation what its receiver then
  /// has completely: one who got only some of the pages asks on from there and misses nothing.
  ///
  /// - Parameter generation: how often the board has changed by now.
  public static func pages(generation: UInt64, entries: [Entry]) -> [StatusMessage] {
    let sorted = entries.sorted { ($0.generation, $0.key) < ($1.generation, $1.key) }
    var pages: [StatusMessage] = []
    var page: [Entry] = []
    var length = 0
    for entry in sorted {
      if page.count == mostKeys || length + entry.wireLength > longestEntries {
        let whole = page.last?.generation == entry.generation ? 1 : 0 as UInt64
        let reached = page.last?.generation ?? 0
        pages.append(StatusMessage(generation: reached - min(reached, whole), entries: page))
        page = []
        length = 0
      }
      page.append(entry)
      length += entry.wireLength
    }
    return pages + [StatusMessage(generation: generation, entries: page)]
  }

  /// The room for entries in a frame: behind the header come generation and count.
  private static let longestEntries = FrameCodec.longestFrame - FrameCodec.overhead - 8 - 2
}

extension StatusMessage.Entry {
  /// The number of bytes of the entry on the wire.
  fileprivate var wireLength: Int {
    2 + key.utf8.count + 8 + 1 + (value.map { 2 + $0.count } ?? 0)
  }
}
