import FoundationEssentials

/// What a virtual card says happened to it.
struct TruthLog {
  struct Line: Codable, Hashable {
    let kind: String
    let trueNanoseconds: Int64
    let tick: Int64
    let frames: Int64

    private enum CodingKeys: String, CodingKey {
      case kind
      case trueNanoseconds = "true_ns"
      case tick
      case frames
    }
  }

  let lines: [Line]

  init(_ text: String) throws {
    lines = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  /// The ticks that were handed over, in the order in which they were; the last has no end.
  ///
  /// What was written over while it was read is told behind what was handed over with it.
  var handed: [Range<Int64>] {
    let missing = lines.filter { $0.kind == "missing" }.sorted { $0.tick < $1.tick }
    return streams.flatMap { stream in
      var found: [Range<Int64>] = []
      var open = stream.lowerBound
      for loss in missing where stream.contains(loss.tick) {
        if open < loss.tick { found.append(open..<loss.tick) }
        open = max(open, loss.tick + loss.frames)
      }
      if open < stream.upperBound { found.append(open..<stream.upperBound) }
      return found
    }
  }

  /// From where to where streams went, with all that they lost meanwhile.
  private var streams: [Range<Int64>] {
    var found: [Range<Int64>] = []
    var open: Int64?
    for line in lines {
      if line.kind == "start" { open = line.tick }
      guard line.kind == "end", let start = open else { continue }
      if start < line.tick { found.append(start..<line.tick) }
      open = nil
    }
    if let open { found.append(open..<Int64.max) }
    return found
  }

  /// When the frames that the card dropped in silence should have been taken.
  var drops: [(tick: Int64, frames: Int64)] {
    lines.filter { $0.kind == "drop" }.map { ($0.tick, $0.frames) }
  }
}
