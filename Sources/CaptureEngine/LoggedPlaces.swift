internal import FoundationEssentials
internal import Recording
internal import Units

/// When the frames of a closed file were taken, by its timing log.
struct LoggedPlaces {
  private var places: [(frame: Int64, shared: SharedInstant)] = []
  private let rate: SampleRate

  /// The largest log that is read, in bytes: some days.
  static let sizeLimit = 1 << 30

  /// Reads the lines of a timing log that place frames; nothing where there are none.
  init?(bytes: [UInt8], rate: SampleRate) {
    self.rate = rate
    let mark = Array(#""type":"clock""#.utf8)
    let decoder = JSONDecoder()
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.firstRange(of: mark) != nil {
      do {
        guard case .clock(let clock) = try decoder.decode(TimingLogEntry.self, from: Data(line))
        else { continue }
        places.append((clock.frame, clock.shared))
      } catch {
        // The lines beside a damaged one say enough.
        continue
      }
    }
    places.sort { ($0.shared, $0.frame) < ($1.shared, $1.frame) }
    if places.isEmpty { return nil }
  }

  /// The frame that was taken at `shared`: between two lines along the line through them, before
  /// the first and behind the last at the nominal rate.
  func frame(at shared: SharedInstant) -> Int64 {
    let next = places.firstIndex { $0.shared > shared } ?? places.count
    guard next > 0 else { return places[0].frame - frames(in: places[0].shared - shared) }
    let before = places[next - 1]
    guard next < places.count else { return before.frame + frames(in: shared - before.shared) }
    let after = places[next]
    let share = (shared - before.shared).inSeconds / (after.shared - before.shared).inSeconds
    return before.frame + Int64((Double(after.frame - before.frame) * share).rounded())
  }

  private func frames(in span: Duration) -> Int64 {
    Int64((span.inSeconds * Double(rate.hertz)).rounded())
  }
}
