internal import Alignment

/// An exchange's line of a timing log, read without a JSON decoder: a day's log has hundreds of
/// thousands of them.
struct ExchangeLine {
  /// The coordinator's id as it is written.
  let coordinator: ArraySlice<UInt8>
  let point: ExchangePoint

  private static let keys = ["\"t1_ns\":", "\"t2_ns\":", "\"t3_ns\":", "\"t4_ns\":"].map {
    Array($0.utf8)
  }
  private static let coordinatorKey = Array("\"coordinator\":\"".utf8)

  /// Reads a line as the recorder writes it; nothing where it is another.
  init?(_ line: ArraySlice<UInt8>) {
    guard let start = Self.end(of: Self.coordinatorKey, in: line, from: line.startIndex),
      let end = line[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    coordinator = line[start..<end]
    var times: [Int64] = []
    var place = end
    for key in Self.keys {
      guard let digits = Self.end(of: key, in: line, from: place),
        let number = Self.integer(in: line, from: digits)
      else { return nil }
      times.append(number)
      place = digits
    }
    point = ExchangePoint(t1: times[0], t2: times[1], t3: times[2], t4: times[3])
  }

  /// Where the text behind `key` begins.
  private static func end(
    of key: [UInt8], in line: ArraySlice<UInt8>, from start: Int
  ) -> Int? {
    var place = start
    while place + key.count <= line.endIndex {
      if line[place] == key[0], line[place..<place + key.count].elementsEqual(key) {
        return place + key.count
      }
      place += 1
    }
    return nil
  }

  private static func integer(in line: ArraySlice<UInt8>, from start: Int) -> Int64? {
    var place = start
    let isNegative = place < line.endIndex && line[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var value: Int64 = 0
    let first = place
    while place < line.endIndex, (48...57).contains(line[place]), place - first < 18 {
      value = value * 10 + Int64(line[place] - 48)
      place += 1
    }
    return place > first ? (isNegative ? -value : value) : nil
  }
}
