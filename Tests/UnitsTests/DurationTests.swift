import TestLanes
import Testing
import Units

@Suite("Spans in whole nanoseconds", .computing)
struct DurationTests {
  @Test("exact within ±292 years, rounded towards nothing")
  func whole() {
    let figures: [Int64] = [
      0, 1, 999, 9_223_372_036, 9_223_372_037, 86_400_000_000_000, Int64.max,
    ]
    for figure in figures {
      #expect(Duration.nanoseconds(figure).wholeNanoseconds == figure)
      #expect(Duration.nanoseconds(-figure).wholeNanoseconds == -figure)
    }
    let part = Duration(secondsComponent: 10, attosecondsComponent: 1_999_999_999)
    #expect(part.wholeNanoseconds == 10_000_000_001)
    #expect((Duration.zero - part).wholeNanoseconds == -10_000_000_001)
  }

  @Test("as the components have it, for any span of a seed")
  func components() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<1000 {
      let span = Duration(
        secondsComponent: Int64.random(in: -9_000_000_000...9_000_000_000, using: &generator),
        attosecondsComponent: Int64.random(in: 0..<1_000_000_000_000_000_000, using: &generator))
      let (seconds, attoseconds) = span.components
      #expect(span.wholeNanoseconds == seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
  }
}
