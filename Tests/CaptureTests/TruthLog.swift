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
  var handed: [Range<Int64>] {
    var found: [Range<Int64>] = []
    var open: Int64?
    func close(at tick: Int64) {
      if let start = open, start < tick { found.append(start..<tick) }
    }
    for line in lines {
      switch line.kind {
      case "start": open = line.tick
      case "missing":
        close(at: line.tick)
        open = line.tick + line.frames
      case "end":
        close(at: line.tick)
        open = nil
      default: break
      }
    }
    close(at: .max)
    return found
  }

  /// When the frames that the card dropped in silence should have been taken.
  var drops: [(tick: Int64, frames: Int64)] {
    lines.filter { $0.kind == "drop" }.map { ($0.tick, $0.frames) }
  }
}
